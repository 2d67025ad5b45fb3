package io.plat.apiserver;

import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.http.commandline.Flag;
import io.plat.http.commandline.FlagProblems;
import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagType;
import io.plat.http.commandline.FlagValues;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemSource;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Flags for an etcd cluster as the storage backend. */
final class EtcdFlags {
    static final String BACKEND = "etcd3";

    private final Flag<List<URI>> servers;
    private final Flag<String> prefix;
    private final Flag<Optional<Path>> authorities;
    private final Flag<Optional<Path>> certificate;
    private final Flag<Optional<Path>> key;
    private final String rejection;

    /**
     * Defines the flags.
     *
     * @param namePrefix prefix of their names; may be empty
     * @param rejection message for each of them if another store is used
     */
    EtcdFlags(FlagSet flags, String namePrefix, String rejection) {
        this.rejection = rejection;
        servers = flags.list(
                namePrefix + "etcd-servers", new FlagType<>("a URL as in https://127.0.0.1:2379", EtcdFlags::server));
        prefix = flags.value(namePrefix + "etcd-prefix", new FlagType<>("a path as in /registry", EtcdFlags::prefix));
        authorities = flags.optional(namePrefix + "etcd-cafile", FlagType.PATH);
        certificate = flags.optional(namePrefix + "etcd-certfile", FlagType.PATH);
        key = flags.optional(namePrefix + "etcd-keyfile", FlagType.PATH);
    }

    private static Optional<URI> server(String text) {
        try {
            URI server = new URI(text);
            boolean usable = ("http".equals(server.getScheme()) || "https".equals(server.getScheme()))
                    && server.getHost() != null
                    && server.getPort() > 0
                    && List.of("", "/").contains(server.getPath())
                    && server.getQuery() == null
                    && server.getUserInfo() == null;
            return usable ? Optional.of(server) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    /** Normalizes a prefix as kube-apiserver does: a leading slash and no trailing one. */
    private static Optional<String> prefix(String text) {
        String path = ("/" + text).replaceAll("/+", "/").replaceAll("/$", "");
        return path.chars().allMatch(c -> c > ' ' && c < 0x7f) ? Optional.of(path) : Optional.empty();
    }

    /** Checks the flags if etcd is the storage backend. */
    void require(FlagValues values, FlagProblems problems) {
        if (values.find(servers).filter(List::isEmpty).isPresent()) {
            problems.add(servers, "required, expected a URL as in https://127.0.0.1:2379");
        }
        if (isSet(values, certificate)
                && values.find(key).filter(Optional::isEmpty).isPresent()) {
            problems.add(key, "required, expected the key of " + certificate.dashed());
        }
        if (isSet(values, key)
                && values.find(certificate).filter(Optional::isEmpty).isPresent()) {
            problems.add(certificate, "required, expected the certificate of " + key.dashed());
        }
    }

    /** Rejects the flags if another store is used. */
    void reject(FlagValues values, FlagProblems problems) {
        if (values.find(servers).filter(list -> !list.isEmpty()).isPresent()) {
            problems.add(servers, rejection);
        }
        for (Flag<Optional<Path>> file : List.of(authorities, certificate, key)) {
            if (isSet(values, file)) {
                problems.add(file, rejection);
            }
        }
    }

    Flag<?> flag() {
        return servers;
    }

    private static boolean isSet(FlagValues values, Flag<Optional<Path>> flag) {
        return values.findOptional(flag).isPresent();
    }

    /** Returns the TLS files for https connections to members; empty without https. */
    Optional<ClientTls.Config> tls(FlagValues values) {
        return RemoteSettings.secure(values.get(servers))
                ? Optional.of(new ClientTls.Config(
                        source(values, authorities), source(values, certificate), source(values, key), null))
                : Optional.empty();
    }

    private static @Nullable PemSource source(FlagValues values, Flag<Optional<Path>> file) {
        return values.get(file).map(PemSource::file).orElse(null);
    }

    RemoteSettings settings(FlagValues values, @Nullable SSLContext tls) {
        return new RemoteSettings(values.get(servers), values.get(prefix), tls);
    }
}
