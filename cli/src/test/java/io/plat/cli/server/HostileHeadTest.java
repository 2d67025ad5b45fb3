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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose responses have an endless or malformed head. */
class HostileHeadTest {
    private static final String INTERIM = "HTTP/1.1 100 Continue\r\n\r\n".repeat(100);

    @TempDir
    private Path directory;

    @Test
    void endlessInterimResponsesAreAnError() throws IOException, PemException {
        assertThat(failure(INTERIM, INTERIM, 0)).contains("too many interim responses (1xx)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5", "99999999999999999999", "33554433", "x"})
    void contentLengthOutOfRangeIsRefusedAtOnce(String length) throws IOException, PemException {
        assertThat(failure("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n", " ", 100))
                .contains("Content-Length: expected at most 33554432, found \"" + length + '"');
    }

    /** Returns the message about a server that sends a text, and then another one repeatedly. */
    private String failure(String first, String then, long pauseMillis) throws IOException, PemException {
        String pki = directory.toString();
        CommandRun.plat("pki", "init", "--dir", pki);
        CommandRun.plat("pki", "issue", "server", "--dir", pki, "--server", "--san", "localhost");
        CommandRun.plat("pki", "issue", "me", "--dir", pki, "--client");
        ServerTls.Config config = ServerTls.Config.requiring(
                PemSource.file(directory.resolve("server.crt")),
                PemSource.file(directory.resolve("server.key")),
                PemSource.file(directory.resolve("ca.crt")));
        try (ServerTls tls = new ServerTls(config, ReloadListener.none(), InstantSource.system());
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, tls.context(), first, then, pauseMillis));
            CommandRun requested = CommandRun.plat(
                    "can-i",
                    "get",
                    "pods",
                    "--server=https://localhost:" + server.getLocalPort(),
                    "--certificate-authority=" + directory.resolve("ca.crt"),
                    "--client-certificate=" + directory.resolve("me.crt"),
                    "--client-key=" + directory.resolve("me.key"));
            assertThat(requested.status()).isEqualTo(3);
            assertThat(requested.err()).doesNotContain("internal error");
            return requested.err();
        }
    }

    private static void answer(ServerSocket server, SSLContext tls, String first, String then, long pauseMillis) {
        while (!server.isClosed()) {
            try (Socket client = tls.getSocketFactory().createSocket(server.accept(), null, true)) {
                client.getOutputStream().write(first.getBytes(StandardCharsets.US_ASCII));
                while (client.isConnected()) {
                    client.getOutputStream().write(then.getBytes(StandardCharsets.US_ASCII));
                    Thread.sleep(pauseMillis);
                }
            } catch (IOException | InterruptedException expected) {
                // The client times out.
            }
        }
    }
}
