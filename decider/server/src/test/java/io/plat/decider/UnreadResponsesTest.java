package io.plat.decider;

import static io.plat.http.testing.RawHttp2.DATA;
import static io.plat.http.testing.RawHttp2.END_HEADERS;
import static io.plat.http.testing.RawHttp2.END_STREAM;
import static io.plat.http.testing.RawHttp2.HEADERS;
import static io.plat.http.testing.RawHttp2.RST_STREAM;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.http.FairLimit;
import io.plat.http.LargeBodyMemory;
import io.plat.http.testing.RawClient;
import io.plat.http.testing.RawHttp2;
import io.plat.http.testing.RawHttp2.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that read nothing of their answers: streams of HTTP/2 whose window is closed. */
class UnreadResponsesTest {
    private static final int CANCEL = 8;
    private static final String LISTING = "/apis/authorization.k8s.io/v1/subjectlistings";
    private static final String SELF_REVIEW =
            "{\"spec\":{\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";
    private static final String REVIEW =
            "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":"
                    + "{\"user\":\"zoe\",\"resourceAttributes\":{\"verb\":\"get\",\"resource\":\"pods\"}}}";
    private static final String NAMED =
            "{\"spec\":{\"user\":\"zoe\",\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/\"}}}";

    private static TestingDecider decider;

    @BeforeAll
    static void start(@TempDir Path directory) {
        decider = new TestingDecider(directory, "--allowed-client-names=alice,bob");
    }

    @AfterAll
    static void stop() {
        decider.close();
    }

    private static RawHttp2 unread(String client) throws IOException {
        return new RawHttp2(decider.address(), decider.pki.client(client, "developers"), 0);
    }

    private static void request(RawHttp2 client, int stream, String path, String body) throws IOException {
        byte[] head = RawHttp2.request(body.isEmpty() ? "GET" : "POST", path);
        client.send(HEADERS, END_HEADERS | (body.isEmpty() ? END_STREAM : 0), stream, head);
        if (!body.isEmpty()) {
            client.send(DATA, END_STREAM, stream, body.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private static String body(String kind) {
        return switch (kind) {
            case "none" -> "";
            case "review" -> REVIEW;
            case "named" -> NAMED;
            case "empty" -> "{}";
            default -> SELF_REVIEW;
        };
    }

    @ParameterizedTest
    @CsvSource({
        "alice, /,                                                      review",
        "alice, /authorize,                                             review",
        "alice, /authorize,                                             empty",
        "alice, /apis/authorization.k8s.io/v1/selfsubjectaccessreviews, self",
        "alice, /apis/authorization.k8s.io/v1/accessexplanations,       named",
        "alice, /apis/authorization.k8s.io/v1/subjectlistings,          self",
        "alice, /apis/authorization.k8s.io/v1/selfsubjectrulesreviews,  empty",
        "alice, /apis/authentication.k8s.io/v1/selfsubjectreviews,      empty",
        "alice, /authorize,                                             none",
        "alice, /version,                                               none",
        "alice, /metrics,                                               none",
        "alice, /readyz,                                                none",
        "alice, /nowhere,                                               none",
        "alice, /%2e%2e/x,                                              none",
        "mallory, /authorize,                                           review",
        "mallory, /readyz,                                              none"
    })
    void unreadResponsesAreAbortedOnEveryPath(String client, String path, String kind) throws IOException {
        FairLimit.Share others = LargeBodyMemory.share("others", null);
        try (RawHttp2 http2 = unread(client)) {
            // A stream may wait for its body, which takes memory too.
            long taken = LargeBodyMemory.MEMORY - 20_000;
            assertThat(others.grow(taken)).isTrue();
            request(http2, 1, path, body(kind));
            if (!others.grow(20_000)) {
                request(http2, 3, path, body(kind));
            }
            request(http2, 5, path, body(kind));
            Frame reset = http2.read(RST_STREAM);
            assertThat(reset.errorCode()).isEqualTo(CANCEL);
        } finally {
            others.release();
        }
    }

    @Test
    void readResponsesAreNotCharged() throws IOException {
        FairLimit.Share others = LargeBodyMemory.share("others", null);
        // All memory charged before is free once its connection is closed.
        await().until(() -> others.grow(LargeBodyMemory.MEMORY));
        try (RawClient client = decider.connect()) {
            assertThat(client.postJson("/authorize", REVIEW).code()).isEqualTo(200);
            assertThat(client.postJson(LISTING, SELF_REVIEW).code()).isEqualTo(201);
            assertThat(client.get("/metrics").code()).isEqualTo(200);
        } finally {
            others.release();
        }
    }

    @Test
    void unreadResponsesDoNotBlockOthers() throws IOException {
        SSLContext bob = decider.pki.client("bob", "developers");
        try (RawHttp2 greedy = unread("alice");
                RawClient other = decider.connect(bob)) {
            for (int stream = 1; stream < 100; stream += 2) {
                request(greedy, stream, LISTING, SELF_REVIEW);
            }
            CompletableFuture<Frame> reset = CompletableFuture.supplyAsync(() -> reset(greedy));
            await().until(() -> other.postJson(LISTING, SELF_REVIEW).code() == 201 && reset.isDone());
            assertThat(reset.join().errorCode()).isEqualTo(CANCEL);
        }
    }

    private static Frame reset(RawHttp2 client) {
        try {
            return client.read(RST_STREAM);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
