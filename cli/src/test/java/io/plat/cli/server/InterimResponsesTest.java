package io.plat.cli.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.CommandRun;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that sends only interim responses. */
class InterimResponsesTest {
    private static final byte[] INTERIM =
            "HTTP/1.1 100 Continue\r\n\r\n".repeat(100).getBytes(StandardCharsets.US_ASCII);

    @Test
    void endlessInterimResponsesAreAnError(@TempDir Path folder) throws IOException, PemException {
        String pki = folder.toString();
        CommandRun.plat("pki", "init", "--dir", pki);
        CommandRun.plat("pki", "issue", "server", "--dir", pki, "--server", "--san", "localhost");
        CommandRun.plat("pki", "issue", "me", "--dir", pki, "--client");
        ServerTls.Config config = ServerTls.Config.requiring(
                PemSource.file(folder.resolve("server.crt")),
                PemSource.file(folder.resolve("server.key")),
                PemSource.file(folder.resolve("ca.crt")));
        try (ServerTls tls = new ServerTls(config, ReloadListener.none(), InstantSource.system());
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, tls.context()));
            CommandRun requested = CommandRun.plat(
                    "can-i",
                    "get",
                    "pods",
                    "--server=https://localhost:" + server.getLocalPort(),
                    "--certificate-authority=" + folder.resolve("ca.crt"),
                    "--client-certificate=" + folder.resolve("me.crt"),
                    "--client-key=" + folder.resolve("me.key"));
            assertThat(requested.status()).isEqualTo(3);
            assertThat(requested.err())
                    .contains("too many interim responses (1xx)")
                    .doesNotContain("internal error");
        }
    }

    private static void answer(ServerSocket server, SSLContext tls) {
        while (!server.isClosed()) {
            try (Socket client = tls.getSocketFactory().createSocket(server.accept(), null, true)) {
                while (client.isConnected()) {
                    client.getOutputStream().write(INTERIM);
                }
            } catch (IOException expected) {
                // The client times out.
            }
        }
    }
}
