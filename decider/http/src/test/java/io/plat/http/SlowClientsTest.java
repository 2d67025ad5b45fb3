package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that keep a connection busy without ever sending a whole request. */
class SlowClientsTest {
    private static final Duration BOUND = Duration.ofMillis(400);
    private static TestingServer server;

    @BeforeAll
    static void start() {
        server = new TestingServer(new HttpLimits(8192, 50, 1000, Duration.ofSeconds(60), BOUND, 100));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET /livez",
                "GET /livez HTTP/1.1\r\nHost: localhost\r\nA:",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nabc",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab"
            })
    void aRequestThatIsNotCompleteInTimeIsCutOff(String beginning) throws IOException {
        try (RawClient client = server.connect()) {
            client.send(beginning);
            long began = System.nanoTime();
            assertThat(closed(client)).isTrue();
            assertThat(Duration.ofNanos(System.nanoTime() - began))
                    .isBetween(BOUND.minusMillis(50), BOUND.multipliedBy(20));
        }
    }

    @Test
    void aHandshakeThatIsNotCompleteInTimeIsCutOff() throws IOException {
        try (Socket silent = new Socket(
                server.server.address().getAddress(), server.server.address().getPort())) {
            silent.setSoTimeout(20_000);
            assertThat(silent.getInputStream().read()).isNegative();
        }
    }

    @Test
    void aConnectionBetweenRequestsIsLeftAlone() throws Exception {
        try (RawClient idle = server.connect();
                RawClient slow = server.connect()) {
            idle.get("/livez");
            slow.send("G");
            assertThat(closed(slow)).isTrue();
            assertThat(idle.get("/livez").code()).isEqualTo(200);
        }
    }

    private static boolean closed(RawClient client) {
        try {
            return client.closedWithoutAnother();
        } catch (IOException reset) {
            return true;
        }
    }
}
