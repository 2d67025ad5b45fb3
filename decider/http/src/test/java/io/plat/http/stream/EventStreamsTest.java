package io.plat.http.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A request is completed once, regardless of how its stream ends, even if a write never completes. */
class EventStreamsTest {
    private static final Status REFUSED = Status.of(StatusReason.TOO_MANY_REQUESTS, "too many");

    private final Callback.Completable completed = new Callback.Completable();
    private final AtomicInteger last = new AtomicInteger();
    private final Request request = request();

    @Test
    void aHangingLastWriteIsAborted() throws Exception {
        try (EventStreams streams = streams(Duration.ofMinutes(1))) {
            streams.serve(request, response(false), completed);
            streams.end(request);
            await().until(() -> last.get() == 1);
            assertThat(completed).isNotDone();
            streams.end(request);
            assertAborted();
        }
    }

    @Test
    void aHangingLastWriteTimesOut() throws Exception {
        try (EventStreams streams = streams(Duration.ofMillis(20))) {
            streams.serve(request, response(false), completed);
            streams.end(request);
            assertAborted();
        }
    }

    @Test
    void aHangingLastWriteIsAbortedOnShutdown() throws Exception {
        try (EventStreams streams = streams(Duration.ofMinutes(1))) {
            streams.serve(request, response(false), completed);
            streams.endAll();
            assertAborted();
        }
    }

    @Test
    void aWrittenEndCompletesTheRequest() throws Exception {
        try (EventStreams streams = streams(Duration.ofMinutes(1))) {
            streams.serve(request, response(true), completed);
            streams.end(request);
            completed.get(10, TimeUnit.SECONDS);
            streams.end(request);
            assertThat(last).hasValue(1);
        }
    }

    private void assertAborted() throws Exception {
        try {
            completed.get(10, TimeUnit.SECONDS);
        } catch (ExecutionException aborted) {
            assertThat(aborted).hasCauseInstanceOf(TimeoutException.class);
            return;
        }
        throw new AssertionError("the request was completed");
    }

    private static EventStreams streams(Duration writeTimeout) {
        return new EventStreams(
                new EventStreams.Settings("test", 1, Duration.ofMillis(50), writeTimeout, REFUSED, REFUSED),
                () -> EventStream.HEARTBEAT);
    }

    private static Request request() {
        ConnectionMetaData connection = proxy(ConnectionMetaData.class, (method, arguments) -> switch (method) {
            case "getHttpVersion" -> HttpVersion.HTTP_2;
            case "getId" -> "1";
            default -> null;
        });
        return proxy(Request.class, (method, arguments) -> switch (method) {
            case "getMethod" -> "GET";
            case "getConnectionMetaData" -> connection;
            case "getAttribute" -> "a client"; // Called by RequestClient.
            default -> null;
        });
    }

    private Response response(boolean written) {
        HttpFields.Mutable headers = HttpFields.build();
        return proxy(Response.class, (method, arguments) -> switch (method) {
            case "getHeaders" -> headers;
            case "write" -> {
                boolean end = (boolean) arguments[0];
                if (end) {
                    last.incrementAndGet();
                }
                if (written || !end) {
                    ((Callback) arguments[2]).succeeded();
                }
                yield null;
            }
            default -> null;
        });
    }

    private interface Answers {
        @Nullable
        Object of(String method, @Nullable Object[] arguments);
    }

    private static <T> T proxy(Class<T> type, Answers answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "toString" -> type.getSimpleName();
                    default -> answers.of(method.getName(), arguments);
                }));
    }
}
