package io.plat.cli.server;

import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags for the server and the credentials; null if not given. The program has them, and each command with a server has them too, so that
 * they may precede or follow the command's name. They are not inherited: {@code pki issue --server} has another meaning.
 */
public final class ConnectionOptions {
    @Option(names = "--kubeconfig", paramLabel = "FILE")
    @Nullable
    Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME")
    @Nullable
    String context;

    @Option(names = "--server", paramLabel = "URL")
    @Nullable
    String server;

    @Option(names = "--token", paramLabel = "TOKEN")
    @Nullable
    String token;

    @Option(names = "--certificate-authority", paramLabel = "FILE")
    @Nullable
    Path certificateAuthority;

    @Option(names = "--client-certificate", paramLabel = "FILE")
    @Nullable
    Path clientCertificate;

    @Option(names = "--client-key", paramLabel = "FILE")
    @Nullable
    Path clientKey;

    /** Returns the values of the variables {@code PLAT_SERVER} and so on. */
    static ConnectionOptions of(Map<String, String> environment) {
        UnaryOperator<@Nullable String> variable = name -> {
            String value = environment.getOrDefault("PLAT_" + name, "");
            return value.isEmpty() ? null : value;
        };
        ConnectionOptions result = new ConnectionOptions();
        result.context = variable.apply("CONTEXT");
        result.server = variable.apply("SERVER");
        result.token = variable.apply("TOKEN");
        result.certificateAuthority = path(variable.apply("CERTIFICATE_AUTHORITY"));
        result.clientCertificate = path(variable.apply("CLIENT_CERTIFICATE"));
        result.clientKey = path(variable.apply("CLIENT_KEY"));
        return result;
    }

    /** Returns these flags, with others for missing values. */
    public ConnectionOptions over(ConnectionOptions others) {
        ConnectionOptions all = new ConnectionOptions();
        all.kubeconfig = first(kubeconfig, others.kubeconfig);
        all.context = first(context, others.context);
        all.server = first(server, others.server);
        all.token = first(token, others.token);
        all.certificateAuthority = first(certificateAuthority, others.certificateAuthority);
        all.clientCertificate = first(clientCertificate, others.clientCertificate);
        all.clientKey = first(clientKey, others.clientKey);
        return all;
    }

    private static <T> @Nullable T first(@Nullable T own, @Nullable T other) {
        return own == null ? other : own;
    }

    private static @Nullable Path path(@Nullable String file) {
        return file == null ? null : Path.of(file);
    }

    /** Sets the client configuration file and its context; null for those of the environment. */
    public void useConfig(@Nullable String file, @Nullable String name) {
        kubeconfig = path(file);
        context = name;
    }

    /** Sets the server, in place of the flag. */
    public ConnectionOptions withServer(String url) {
        server = url;
        return this;
    }
}
