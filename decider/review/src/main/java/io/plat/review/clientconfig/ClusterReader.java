package io.plat.review.clientconfig;

import io.plat.review.source.Quoted;
import io.plat.review.source.SourceFields;
import io.plat.tls.pem.PemSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reader of the cluster of the current context. */
final class ClusterReader {
    private final FileFields files;

    @Nullable
    URI server;

    @Nullable
    PemSource authorities;

    String serverName = "";

    ClusterReader(Path folder) {
        this.files = new FileFields(folder);
    }

    void read(SourceFields cluster) {
        String url = cluster.requiredString("server");
        if (!url.isEmpty()) {
            server = server(cluster, url);
        }
        authorities = files.pem(cluster, "certificate-authority");
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
}
