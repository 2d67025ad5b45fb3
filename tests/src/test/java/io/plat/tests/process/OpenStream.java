package io.plat.tests.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A streaming response or a WebSocket, of which only the end is relevant.
 *
 * @param name name in messages
 * @param ended completes with {@link System#nanoTime} when the server has ended it
 */
public record OpenStream(String name, CompletableFuture<Long> ended) {
    private static final long TIMEOUT_SECONDS = 20;

    /** Opens a streaming response, and waits for its head. */
    public static OpenStream response(HttpClient http, URI target, Map<String, String> headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target);
        headers.forEach(request::header);
        HttpResponse<InputStream> answer =
                await(http.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
        if (answer.statusCode() != 200) {
            throw new AssertionError(target + ": " + answer.statusCode() + " "
                    + new String(answer.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        var ended = new CompletableFuture<Long>();
        Thread.ofVirtual().start(() -> {
            try (InputStream body = answer.body()) {
                body.transferTo(OutputStream.nullOutputStream());
            } catch (IOException cut) {
                // Any end counts.
            }
            ended.complete(System.nanoTime());
        });
        return new OpenStream(target.getPath(), ended);
    }

    /** Opens a WebSocket. */
    public static OpenStream socket(HttpClient http, URI target, Map<String, String> headers) {
        var ended = new CompletableFuture<Long>();
        WebSocket.Builder builder = http.newWebSocketBuilder();
        headers.forEach(builder::header);
        await(builder.buildAsync(URI.create(target.toString().replaceFirst("^https", "wss")), new WebSocket.Listener() {
            @Override
            public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
                ended.complete(System.nanoTime());
                return CompletableFuture.completedStage(null);
            }

            @Override
            public void onError(WebSocket socket, Throwable cause) {
                ended.complete(System.nanoTime());
            }
        }));
        return new OpenStream("socket " + target.getPath(), ended);
    }

    /** Waits for the end; returns the milliseconds since a {@link System#nanoTime}. */
    public long endedMillisAfter(long begin) {
        try {
            return TimeUnit.NANOSECONDS.toMillis(ended.get(TIMEOUT_SECONDS, TimeUnit.SECONDS) - begin);
        } catch (TimeoutException e) {
            throw new AssertionError(name + " is open after " + TIMEOUT_SECONDS + " s", e);
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | InterruptedException | ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }
}
