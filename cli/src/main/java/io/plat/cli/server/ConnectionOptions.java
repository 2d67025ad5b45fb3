package io.plat.cli;

import io.plat.cli.server.ServerChoice;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The flags that say which server is asked, and as whom. The program has them, and each command that asks has them too, so that
 * they may stand before or after the command's name. They are not inherited: {@code pki issue --server} means something else.
 */
public final class ConnectionOptions {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "client configuration file ($PLATCONFIG, $KUBECONFIG, ~/.plat/config)")
    @Nullable
    Path kubeconfig;

    @Option(names = "--context", paramLabel = "NAME", description = "context of that file (its current-context)")
    @Nullable
    String context;

    @Option(names = "--server", paramLabel = "URL", description = "https URL of an API server or a decider")
    @Nullable
    String server;

    @Option(names = "--token", paramLabel = "TOKEN", description = "bearer token")
    @Nullable
    String token;

    @Option(
            names = "--certificate-authority",
            paramLabel = "FILE",
            description = "whom the server's certificate must come from")
    @Nullable
    Path certificateAuthority;

    @Option(names = "--client-certificate", paramLabel = "FILE", description = "certificate to present")
    @Nullable
    Path clientCertificate;

    @Option(names = "--client-key", paramLabel = "FILE", description = "key of that certificate")
    @Nullable
    Path clientKey;

    /** These flags, and where they say nothing, what stands before the command's name. */
    ServerChoice.Flags over(ConnectionOptions before) {
        return new ServerChoice.Flags(
                first(kubeconfig, before.kubeconfig),
                first(context, before.context),
                first(server, before.server),
                first(token, before.token),
                first(certificateAuthority, before.certificateAuthority),
                first(clientCertificate, before.clientCertificate),
                first(clientKey, before.clientKey));
    }

    private static <T> @Nullable T first(@Nullable T own, @Nullable T before) {
        return own == null ? before : own;
    }

    /** Names a client configuration file and a context of it; null leaves them to the environment. */
    public void by(@Nullable String file, @Nullable String name) {
        kubeconfig = file == null ? null : Path.of(file);
        context = name;
    }

    /** Names a server that a command was given in another way. */
    public ConnectionOptions at(String url) {
        server = url;
        return this;
    }
}
