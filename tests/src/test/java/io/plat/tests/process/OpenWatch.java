package io.plat.tests.process;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** A watch that a test reads event by event. */
public final class OpenWatch implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final long TIMEOUT_SECONDS = 30;

    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final CompletableFuture<Flow.Subscription> subscription = new CompletableFuture<>();
    private final CompletableFuture<HttpResponse.ResponseInfo> head = new CompletableFuture<>();

    private CompletableFuture<?> exchange = CompletableFuture.completedFuture(null);

    private OpenWatch() {}

    /** Starts a watch and waits for the head of the response. */
    public static OpenWatch open(HttpsClient client, URI target) {
        return open(client, target, "application/json");
    }

    /** Starts a watch that accepts some media types. */
    public static OpenWatch open(HttpsClient client, URI target, String accept) {
        var watch = new OpenWatch();
        HttpRequest request =
                HttpRequest.newBuilder(target).header("Accept", accept).build();
        watch.exchange = client.http()
                .sendAsync(request, info -> {
                    watch.head.complete(info);
                    return HttpResponse.BodySubscribers.fromLineSubscriber(watch.new Lines());
                })
                .whenComplete((answer, failed) -> {
                    if (failed != null) {
                        watch.head.completeExceptionally(failed);
                        watch.ended.completeExceptionally(failed);
                    }
                });
        watch.await(watch.head);
        return watch;
    }

    /** Returns the status code. */
    public int code() {
        return await(head).statusCode();
    }

    /** Returns the media type. */
    public String contentType() {
        return await(head).headers().firstValue("Content-Type").orElse("");
    }

    /** Returns the next event; waits for it. */
    public JsonNode next() {
        try {
            String line = lines.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            if (line == null) {
                throw new AssertionError("no more events; the watch " + ended);
            }
            return parsed(line);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static JsonNode parsed(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not an event: " + line, e);
        }
    }

    /** Returns the next event as {@code TYPE name@resourceVersion}. */
    public String nextInShort() {
        return inShort(next());
    }

    /** Returns an event as {@code TYPE name@resourceVersion}. */
    public static String inShort(JsonNode event) {
        JsonNode metadata = event.path("object").path("metadata");
        return event.path("type").asText() + " " + metadata.path("name").asText() + "@"
                + metadata.path("resourceVersion").asText();
    }

    /** Returns the events up to the first matching one. */
    public List<JsonNode> until(Predicate<JsonNode> desired) {
        var events = new ArrayList<JsonNode>();
        do {
            events.add(next());
        } while (!desired.test(events.getLast()));
        return events;
    }

    /** Returns all events until the server completes the stream. */
    public List<JsonNode> rest() {
        await(ended);
        var events = new ArrayList<JsonNode>();
        while (!lines.isEmpty()) {
            events.add(next());
        }
        return events;
    }

    /** Returns all events until the connection is aborted. A truncated last event is ignored. */
    public List<JsonNode> untilCut() {
        try {
            ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
            throw new AssertionError("the watch ended normally");
        } catch (ExecutionException cut) {
            var events = new ArrayList<JsonNode>();
            for (String line = lines.poll(); line != null; line = lines.poll()) {
                if (!lines.isEmpty() || line.endsWith("}}")) {
                    events.add(parsed(line));
                }
            }
            return events;
        } catch (TimeoutException e) {
            throw new AssertionError("the watch is open after " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Returns whether the stream has ended, for any reason. */
    public boolean hasEnded() {
        return ended.isDone();
    }

    private <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new AssertionError("the watch was aborted", e.getCause());
        } catch (TimeoutException e) {
            throw new AssertionError("no event within " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Closes the connection. Not after the watch completed, as the connection may serve another request of the client by now. */
    @Override
    public void close() {
        if (ended.isDone() && !ended.isCompletedExceptionally()) {
            return;
        }
        await(subscription).cancel();
        exchange.cancel(true);
    }

    private final class Lines implements Flow.Subscriber<String> {
        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription.complete(given);
            given.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(String line) {
            lines.add(line);
        }

        @Override
        public void onError(Throwable cause) {
            ended.completeExceptionally(cause);
        }

        @Override
        public void onComplete() {
            ended.complete(null);
        }
    }
}
