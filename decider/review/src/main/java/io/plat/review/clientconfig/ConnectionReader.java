package io.plat.review.clientconfig;

import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.tls.pem.PemSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reader of the cluster and the user of the current context. Names of files are relative to the configuration file. */
final class ConnectionReader {
    private static final List<String> PROGRAMS = List.of("exec", "auth-provider");
    private static final List<String> PASSWORDS = List.of("username", "password");
    private static final List<String> IMPERSONATION = List.of("as", "as-uid", "as-groups", "as-user-extra");

    private final Path directory;

    @Nullable
    URI server;

    @Nullable
    PemSource authorities;

    String serverName = "";

    @Nullable
    PemSource certificate;

    @Nullable
    PemSource key;

    @Nullable
    BearerToken token;

    ConnectionReader(Path directory) {
        this.directory = directory;
    }

    void readCluster(SourceFields cluster) {
        String url = cluster.requiredString("server");
        if (!url.isEmpty()) {
            server = server(cluster, url);
        }
        authorities = pem(cluster, "certificate-authority");
        serverName = cluster.string("tls-server-name");
        if (cluster.bool("insecure-skip-tls-verify")) {
            cluster.problem(
                    "insecure-skip-tls-verify",
                    "not supported, a server is always verified; name its certificate-authority");
        }
        if (!cluster.string("proxy-url").isEmpty()) {
            cluster.problem("proxy-url", "not supported, connections are always direct");
        }
    }

    /** Parses a server's URL. It may contain a password, so messages show only its scheme. */
    private static @Nullable URI server(SourceFields cluster, String url) {
        URI uri;
        try {
            uri = new URI(url);
        } catch (URISyntaxException e) {
            cluster.problem("server", "not a URL");
            return null;
        }
        String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("https") || uri.isOpaque()) {
            // In host:port without a scheme, the host is parsed as the scheme.
            boolean shown = scheme.equals("http");
            cluster.problem("server", "expected an https URL" + (shown ? ", found " + Quoted.of(scheme) : ""));
            return null;
        }
        String defect = defect(uri);
        if (!defect.isEmpty()) {
            cluster.problem("server", defect);
            return null;
        }
        return uri;
    }

    private static String defect(URI uri) {
        if (uri.getRawUserInfo() != null) {
            return "expected a URL without a user name and password";
        }
        if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65535) {
            return "expected a URL with a host, and a port from 1 to 65535 if any";
        }
        if (uri.getRawQuery() != null || uri.getRawFragment() != null) {
            return "expected a URL without a query and a fragment";
        }
        return "";
    }

    void readUser(SourceFields user) {
        certificate = pem(user, "client-certificate");
        key = pem(user, "client-key");
        requirePair(user, "client-certificate", "client-key");
        requirePair(user, "client-key", "client-certificate");
        token = token(user);
        refuse(user, PROGRAMS, "not supported, credentials are certificates and tokens");
        refuse(user, PASSWORDS, "not supported, credentials are certificates and tokens");
        refuse(user, IMPERSONATION, "not supported, impersonation is not configurable");
    }

    private static void requirePair(SourceFields user, String one, String other) {
        boolean paired = isSet(user, other) || isSet(user, other + "-data");
        for (String key : List.of(one, one + "-data")) {
            if (isSet(user, key) && !paired) {
                user.problem(key, "given without " + other);
            }
        }
    }

    /** Returns whether a field has a value; an empty string is none, as in the tools that write these files. */
    private static boolean isSet(SourceFields user, String key) {
        return user.has(key)
                && !(user.node(key) instanceof Scalar scalar && scalar.text().isEmpty());
    }

    private @Nullable BearerToken token(SourceFields user) {
        String text = user.string("token");
        Path file = file(user, "tokenFile");
        if (!text.isEmpty() && isSet(user, "tokenFile")) {
            user.problem("tokenFile", "given together with token, expected one of them");
            return null;
        }
        if (file != null) {
            return BearerToken.file(file);
        }
        return text.isEmpty() ? null : BearerToken.of(user.where("token"), text);
    }

    private static void refuse(SourceFields user, List<String> keys, String cause) {
        for (String key : keys) {
            if (isSet(user, key)) {
                user.problem(key, cause);
            }
        }
    }

    /** Returns PEM text in a file, or inline in base64 under {@code NAME-data}; null if there is neither or the given one is invalid. */
    private @Nullable PemSource pem(SourceFields fields, String key) {
        String dataKey = key + "-data";
        String path = fields.string(key);
        String data = fields.string(dataKey);
        if (!path.isEmpty() && !data.isEmpty()) {
            fields.problem(dataKey, "given together with " + key + ", expected one of them");
            return null;
        }
        if (!data.isEmpty()) {
            return inline(fields, dataKey, data);
        }
        Path file = file(fields, key);
        return file == null ? null : PemSource.file(file);
    }

    private static @Nullable PemSource inline(SourceFields fields, String key, String data) {
        try {
            byte[] content = Base64.getDecoder().decode(data.replaceAll("[\\r\\n \\t]", ""));
            return PemSource.inline(fields.where(key) + ": " + key, content);
        } catch (IllegalArgumentException e) {
            fields.problem(key, "not valid base64");
            return null;
        }
    }

    /** Returns a readable file; null if none is given or it is not readable. */
    private @Nullable Path file(SourceFields fields, String key) {
        String path = fields.string(key);
        if (path.isEmpty()) {
            return null;
        }
        Path file;
        try {
            file = directory.resolve(path);
        } catch (InvalidPathException e) {
            fields.problem(key, "not a path: " + Quoted.of(path));
            return null;
        }
        String defect = defect(file);
        if (defect.isEmpty()) {
            return file;
        }
        fields.problem(key, "cannot read " + Quoted.of(file.toString()) + ": " + defect);
        return null;
    }

    private static String defect(Path file) {
        if (!Files.exists(file)) {
            return "no such file";
        }
        if (Files.isDirectory(file)) {
            return "is a directory";
        }
        return Files.isReadable(file) ? "" : "permission denied";
    }
}
