package io.plat.http;

import static io.plat.http.testing.RawHttp2.END_HEADERS;
import static io.plat.http.testing.RawHttp2.END_STREAM;
import static io.plat.http.testing.RawHttp2.HEADERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.http.testing.RawClient;
import io.plat.http.testing.RawHttp2;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Connections of two addresses that compete for the limit. */
class ConnectionSharesTest {
    private static final int MAX = 6;

    @AutoClose
    private final TestingServer server = new TestingServer(
            new HttpLimits(8192, 50, TestingServer.BODY_LIMIT, Duration.ofSeconds(60), Duration.ofSeconds(60), MAX));

    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable connection : opened) {
            connection.close();
        }
    }

    private RawClient connect(String from) throws IOException {
        RawClient client = new RawClient(server.server.address(), server.client, InetAddress.getByName(from));
        opened.add(client);
        assertThat(client.get("/livez").code()).isEqualTo(200);
        return client;
    }

    private void isRefused(String from) {
        assertThatThrownBy(() -> connect(from))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }

    private static void isClosed(RawClient client) {
        assertThatThrownBy(() -> client.get("/livez"))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void aSingleAddressMayHaveAllAndMakesRoomForOthers() throws Exception {
        List<RawClient> first = new ArrayList<>();
        for (int i = 0; i < MAX; i++) {
            first.add(connect("127.0.0.1"));
        }
        isRefused("127.0.0.1");

        for (int i = 0; i < MAX / 2; i++) {
            connect("127.0.0.2");
            isClosed(first.get(i));
        }
        isRefused("127.0.0.2");
        // A third address has fewer connections than both.
        connect("127.0.0.3");
        assertThat(first.stream().skip(MAX / 2 + 1).map(client -> code(client))).containsOnly(200);
    }

    private static int code(RawClient client) {
        try {
            return client.get("/livez").code();
        } catch (IOException closed) {
            return 0;
        }
    }

    @Test
    void activeConnectionsAreClosedLast() throws Exception {
        RawHttp2 streaming = new RawHttp2(server.server.address(), server.client);
        opened.add(streaming);
        streaming.send(HEADERS, END_HEADERS | END_STREAM, 1, RawHttp2.request("GET", "/hold"));
        assertThat(server.held.await(20, TimeUnit.SECONDS)).isTrue();
        RawClient sending = connect("127.0.0.1");
        sending.send("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
        assertThat(sending.answerWithoutBody().code()).isEqualTo(100);
        // A connection without a TLS handshake, and an HTTP/2 connection without a request.
        Socket silent = new Socket(
                server.server.address().getAddress(), server.server.address().getPort());
        opened.add(silent);
        RawHttp2 idle = new RawHttp2(server.server.address(), server.client);
        opened.add(idle);
        connect("127.0.0.1");
        connect("127.0.0.1");

        connect("127.0.0.2");
        silent.setSoTimeout(20_000);
        assertThat(silent.getInputStream().read()).isNegative();
        connect("127.0.0.2");
        assertThatThrownBy(() -> idle.read(-1)).isInstanceOf(IOException.class);
        connect("127.0.0.2");
        assertThat(sending.send("ab").answer().text()).isEqualTo("ab");
        server.release.countDown();
        assertThat(streaming.succeeds(1)).isTrue();
    }

    @Test
    void anyEndOfAConnectionReleasesItsShare() throws Exception {
        for (int round = 0; round < 3; round++) {
            String from = "127.0.0." + (round + 1);
            await().ignoreExceptions().atMost(Duration.ofSeconds(20)).untilAsserted(() -> {
                close();
                opened.clear();
                for (int i = 0; i < MAX; i++) {
                    connect(from);
                }
            });
            isRefused(from);
            connect("127.0.0.9");
        }
    }
}
