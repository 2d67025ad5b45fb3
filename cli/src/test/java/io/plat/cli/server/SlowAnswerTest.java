package io.plat.cli.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Responses that arrive byte by byte, each within the timeout. */
class SlowAnswerTest {
    @Test
    void endlessResponseTimesOut() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
                bytes[from] = 'x';
                return 1;
            }
        };
        assertThatThrownBy(() ->
                        HttpsConnection.readBody(endless, Duration.ofMillis(50).toNanos()))
                .isInstanceOf(SocketTimeoutException.class)
                .hasMessage("the answer was not complete after PT0.05S");
    }

    @Test
    void endlessHeadTimesOut() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> {
                try (Socket client = server.accept()) {
                    OutputStream out = client.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.US_ASCII));
                    while (client.isConnected()) {
                        out.write("X: y\r\n".getBytes(StandardCharsets.US_ASCII));
                        Thread.sleep(10);
                    }
                } catch (IOException | InterruptedException expected) {
                    // The client times out.
                }
            });
            URI url = URI.create("http://127.0.0.1:" + server.getLocalPort());
            HttpURLConnection request = (HttpURLConnection) url.toURL().openConnection();
            assertThatThrownBy(() -> HttpsConnection.awaitHead(request, Duration.ofMillis(200)))
                    .isInstanceOf(SocketTimeoutException.class)
                    .hasMessage("no complete response header within 200 ms");
        }
    }

    @Test
    void otherResponsesAreRead() throws IOException {
        byte[] answer = new byte[100_000];
        answer[99_999] = 1;
        assertThat(HttpsConnection.readBody(
                        new ByteArrayInputStream(answer), Duration.ofMinutes(1).toNanos()))
                .isEqualTo(answer);
    }
}
