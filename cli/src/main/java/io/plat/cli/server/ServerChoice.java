package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Location;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * The server and the credentials: the flags, over the client configuration file (contract, "plat").
 *
 * @param environment the time against which certificates are checked
 */
public record ServerChoice(ServerConnection connection, Environment environment) {
    private static final String DEFAULT_NAMESPACE = "default";

    /**
     * Returns the server selected by flags, environment and files.
     *
     * @param alternative what the command accepts instead of a server, for its message; {@code ""} for nothing
     * @throws CommandException if there is none, or they are contradictory or unreadable
     */
    public static ServerChoice of(ConnectionOptions typed, Environment environment, String alternative) {
        ConnectionOptions flags = typed.over(ConnectionOptions.of(environment.variables()));
        if ((flags.clientCertificate == null) != (flags.clientKey == null)) {
            throw CommandException.usage("--client-certificate, --client-key: each requires the other");
        }
        Optional<ServerConnection> configured =
                ConfigFiles.of(flags.kubeconfig, environment).resolve(flags.context, flags.server != null);
        ServerConnection base = configured.orElseGet(() -> onlyServer(flags, alternative));
        return new ServerChoice(overridden(base, flags), environment);
    }

    /** Returns the names of the available contexts; none if the files are unreadable. */
    public static List<String> contexts(ConnectionOptions typed, Environment environment) {
        try {
            return ConfigFiles.of(typed.kubeconfig, environment).contexts();
        } catch (CommandException | ProblemsException unreadable) {
            return List.of();
        }
    }

    private static ServerConnection onlyServer(ConnectionOptions flags, String alternative) {
        String server = flags.server;
        if (server == null) {
            throw CommandException.usage("no server is configured: use --server, "
                    + (alternative.isEmpty() ? "or " : "")
                    + "a client configuration file (--kubeconfig, $PLATCONFIG, $KUBECONFIG, ~/.plat/config)"
                    + (alternative.isEmpty() ? "" : ", or " + alternative));
        }
        return new ServerConnection(new Location("--server", 0), url(server), null, "", null, null, null, "");
    }

    private static ServerConnection overridden(ServerConnection base, ConnectionOptions flags) {
        Path authority = flags.certificateAuthority;
        Path certificate = flags.clientCertificate;
        Path key = flags.clientKey;
        return new ServerConnection(
                base.where(),
                flags.server == null ? base.server() : url(flags.server),
                authority == null ? base.authorities() : PemSource.file(authority),
                base.serverName(),
                certificate == null ? base.certificate() : PemSource.file(certificate),
                key == null ? base.key() : PemSource.file(key),
                flags.token == null ? base.token() : BearerToken.of(new Location("--token", 0), flags.token),
                base.namespace());
    }

    private static URI url(String text) {
        return ServerConnection.url(text)
                .orElseThrow(() -> CommandException.usage(
                        "--server: expected an https URL such as https://localhost:6443, found \"" + text + "\""));
    }

    /** Returns the default namespace of requests. */
    public String namespace() {
        return namespace(environment, connection.namespace());
    }

    /** Returns the same namespace for policy files: a configuration that cannot be used has none, unless flags name it. */
    public static String namespace(ConnectionOptions typed, Environment environment) {
        if (typed.server != null) {
            throw CommandException.usage("--server: cannot be combined with policy files");
        }
        ConnectionOptions flags = typed.over(ConnectionOptions.of(environment.variables()));
        try {
            return namespace(
                    environment,
                    ConfigFiles.of(flags.kubeconfig, environment)
                            .resolve(flags.context, true)
                            .map(ServerConnection::namespace)
                            .orElse(""));
        } catch (CommandException unusable) {
            if (typed.kubeconfig != null || typed.context != null) {
                throw unusable;
            }
            return namespace(environment, "");
        }
    }

    private static String namespace(Environment environment, String ofContext) {
        String variable = environment.variables().getOrDefault("PLAT_NAMESPACE", "");
        return !variable.isEmpty() ? variable : ofContext.isEmpty() ? DEFAULT_NAMESPACE : ofContext;
    }

    /**
     * Returns a client of the server.
     *
     * @param trace receives requests and responses
     * @throws CommandException if a certificate, key or token cannot be read
     */
    public HttpsConnection connect(Trace trace) {
        try {
            NativeTls.prefer();
            BearerToken token = connection.token();
            return new HttpsConnection(
                    connection.server(), context(), token == null ? null : token.read(), trace, this::jdkContext);
        } catch (PemException | ProblemsException e) {
            throw CommandException.of(e);
        }
    }

    private SSLContext context() throws PemException {
        try {
            ClientTls tls = ClientTls.read(connection.tls(), environment.clock());
            tls.identity().ifPresent(identity -> requireValid(identity.chain().getFirst()));
            boolean created = tls.identity()
                    .map(identity -> NativeTls.signsWith(identity.key().getAlgorithm()))
                    .orElse(true);
            if (created || !NativeTls.fallBackToJdk()) {
                return tls.context();
            }
        } catch (PemException e) {
            if (!NativeTls.fallBackToJdk()) {
                throw e;
            }
        }
        return ClientTls.read(connection.tls(), environment.clock()).context();
    }

    /** Throws for a client certificate that every server refuses, many without a readable reason. */
    private void requireValid(X509Certificate certificate) {
        Instant now = environment.clock().instant();
        Instant end = certificate.getNotAfter().toInstant();
        Instant start = certificate.getNotBefore().toInstant();
        if (now.isAfter(end) || now.isBefore(start)) {
            throw CommandException.undetermined("the client certificate"
                    + (connection.certificate() == null
                            ? ""
                            : " (" + connection.certificate().name() + ")")
                    + (now.isAfter(end)
                            ? " expired at " + end + "; renew it, or give another one with --client-certificate"
                            : " is not valid before " + start));
        }
    }

    /** Returns the JDK's context after a failure of the native one; null if it was the JDK's. */
    private @Nullable SSLContext jdkContext() {
        try {
            return NativeTls.fallBackToJdk() ? context() : null;
        } catch (PemException e) {
            throw CommandException.of(e);
        }
    }

    /**
     * The client configuration files, in search order. A variable may name several, as in kubectl: the first one with a current context determines
     * its name, and the first one with that context its content.
     *
     * @param files the files; missing files of a variable are omitted
     */
    record ConfigFiles(List<Path> files) {
        ConfigFiles {
            files = List.copyOf(files);
        }

        static ConfigFiles of(@Nullable Path explicit, Environment environment) {
            if (explicit != null) {
                return new ConfigFiles(List.of(explicit));
            }
            for (String variable : List.of("PLATCONFIG", "KUBECONFIG")) {
                List<Path> listed = listed(environment.variables().getOrDefault(variable, ""));
                if (!listed.isEmpty()) {
                    List<Path> present = listed.stream().filter(Files::exists).toList();
                    if (present.isEmpty()) {
                        throw CommandException.undetermined(
                                "$" + variable + ": no such file: \"" + listed.getFirst() + "\"");
                    }
                    return new ConfigFiles(present);
                }
            }
            Path ownFile = environment.home().resolve(".plat").resolve("config");
            return new ConfigFiles(Files.exists(ownFile) ? List.of(ownFile) : List.of());
        }

        private static List<Path> listed(String value) {
            return Stream.of(value.split(File.pathSeparator))
                    .filter(part -> !part.isEmpty())
                    .map(Path::of)
                    .toList();
        }

        /**
         * Returns the connection of a context.
         *
         * @param context its name, or null for the current one
         * @param optional whether having none is fine, as the flags name a server
         * @return empty if it is optional and there is no file or no current context
         */
        Optional<ServerConnection> resolve(@Nullable String context, boolean optional) {
            if (files.isEmpty()) {
                if (context != null) {
                    throw CommandException.usage("--context: requires a client configuration file, and there is none");
                }
                return Optional.empty();
            }
            try {
                List<ClientConfig> configs = read();
                String name = context == null ? currentContext(configs) : context;
                if (name.isEmpty()) {
                    return optional
                            ? Optional.empty()
                            : Optional.of(configs.getFirst().resolve());
                }
                ClientConfig holder = configs.stream()
                        .filter(config -> config.contexts().contains(name))
                        .findFirst()
                        .orElse(configs.getFirst());
                return Optional.of(
                        context == null && name.equals(holder.currentContext())
                                ? holder.resolve()
                                : holder.resolve(name));
            } catch (ProblemsException e) {
                throw CommandException.of(e);
            }
        }

        /** Returns the names of all contexts, in the order of the files. */
        List<String> contexts() throws ProblemsException {
            return read().stream()
                    .flatMap(config -> config.contexts().stream())
                    .distinct()
                    .toList();
        }

        private List<ClientConfig> read() throws ProblemsException {
            List<ClientConfig> configs = new ArrayList<>();
            for (Path file : files) {
                configs.add(ClientConfig.read(file));
            }
            return configs;
        }

        private static String currentContext(List<ClientConfig> configs) {
            return configs.stream()
                    .map(ClientConfig::currentContext)
                    .filter(name -> !name.isEmpty())
                    .findFirst()
                    .orElse("");
        }
    }
}
