package io.plat.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.plat.http.health.HealthRegistry.Endpoint;
import io.plat.http.testing.RawAnswer;
import io.plat.http.testing.RawClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests during shutdown. */
class GracefulStopTest {
    private final TestingServer server = new TestingServer();

    @AfterEach
    void close() {
        server.close();
    }

    private CompletableFuture<Void> stop(Duration bound) {
        return CompletableFuture.runAsync(() -> {
            try {
                server.server.stop(Duration.ofMillis(1), bound);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
    }

    private int readiness() {
        return server.health.answer(Endpoint.READYZ, false, List.of()).code();
    }

    @Test
    void readinessFailsFirstAndRequestsAreStillServed() throws Exception {
        try (RawClient client = server.connect()) {
            assertThat(readiness()).isEqualTo(200);
            server.server.announceStop();
            assertThat(readiness()).isEqualTo(500);
            assertThat(client.get("/livez").code()).isEqualTo(200);
            assertThat(client.get("/readyz").code()).isEqualTo(500);
            try (RawClient another = server.connect()) {
                assertThat(another.get("/livez").field("Connection")).isEmpty();
            }
        }
    }

    @Test
    void requestsInProgressAreAnsweredAndTheirConnectionsClosed() throws Exception {
        try (RawClient client = server.connect();
                RawClient idle = server.connect()) {
            idle.get("/livez");
            client.send("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
            server.held.await();
            CompletableFuture<Void> stopped = stop(Duration.ofSeconds(20));
            await().until(this::refusesConnections);
            RawAnswer late = idle.get("/livez");
            assertThat(late.code()).isEqualTo(200);
            assertThat(late.field("Connection")).contains("close");
            assertThat(stopped).isNotDone();
            server.release.countDown();
            assertThat(client.answer().text()).isEqualTo("held");
            stopped.get();
            assertThat(client.closedWithoutAnother()).isTrue();
        }
    }

    @Test
    void overdueRequestsAreAborted() throws Exception {
        try (RawClient client = server.connect()) {
            client.send("GET /hold HTTP/1.1\r\nHost: localhost\r\n\r\n");
            server.held.await();
            stop(Duration.ofMillis(100)).get();
            assertThatThrownBy(client::answer).isInstanceOf(IOException.class);
        }
    }

    private boolean refusesConnections() {
        try {
            server.connect().close();
            return false;
        } catch (IOException e) {
            return true;
        }
    }
}
