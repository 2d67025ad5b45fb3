package io.plat.apiserver.audit;

import io.plat.http.lines.LineSink;
import io.plat.process.Tasks;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.tls.ClientTls;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sender of batches of events as an {@code EventList} to a webhook. Makes up to five attempts while the webhook is unreachable, overloaded
 * or failing, with kube-apiserver's exponential backoff and jitter.
 */
final class AuditWebhookSink implements LineSink {
    private static final int ATTEMPTS = 5;
    private static final double GROWTH = 1.5;
    private static final double JITTER = 0.2;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    /** Time limit of the request in progress when the server stops. */
    private static final Duration END = Duration.ofSeconds(5);

    private static final byte[] HEAD = ("{\"kind\":\"EventList\",\"apiVersion\":\"" + EventEncoder.API_VERSION
                    + "\",\"metadata\":{},\"items\":[")
            .getBytes(StandardCharsets.US_ASCII);
    private static final byte[] TAIL = "]}".getBytes(StandardCharsets.US_ASCII);

    private final Target target;
    private final Timeouts timeouts;
    private final HttpClient client;
    private final CountDownLatch stopping = new CountDownLatch(1);

    /**
     * Webhook endpoint.
     *
     * @param tls client TLS, closed with the sink
     * @param token bearer token; null for none
     */
    record Target(URI url, ClientTls tls, @Nullable BearerToken token) {}

    /**
     * Timeouts.
     *
     * @param initialBackoff delay before the first retry
     */
    record Timeouts(Duration response, Duration initialBackoff) {}

    private record Failed(String cause, boolean retryable) {}

    AuditWebhookSink(Target target, Timeouts timeouts) {
        this.target = target;
        this.timeouts = timeouts;
        this.client = HttpClient.newBuilder()
                .sslContext(target.tls().context())
                .connectTimeout(CONNECT)
                .version(HttpClient.Version.HTTP_1_1)
                // A redirect or a proxy from the environment must not divert events.
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        byte[] list = list(lines);
        double backoff = timeouts.initialBackoff().toMillis();
        for (int attempt = 1; ; attempt++) {
            @Nullable Failed failed = post(list);
            if (failed == null) {
                return;
            }
            if (!failed.retryable() || attempt == ATTEMPTS || isStopped(backoff)) {
                throw new IOException(target.url() + ": " + failed.cause());
            }
            backoff *= GROWTH;
        }
    }

    /** Returns a list of lines, each of which is a JSON object followed by the only line end in it. */
    private static byte[] list(ByteBuffer lines) {
        ByteArrayOutputStream list = new ByteArrayOutputStream(lines.remaining() + HEAD.length + TAIL.length);
        list.writeBytes(HEAD);
        while (lines.remaining() > 1) {
            byte next = lines.get();
            list.write(next == '\n' ? ',' : next);
        }
        lines.get();
        list.writeBytes(TAIL);
        return list.toByteArray();
    }

    private boolean isStopped(double backoffMillis) throws IOException {
        double jittered =
                backoffMillis * (1 + JITTER * ThreadLocalRandom.current().nextDouble());
        try {
            return stopping.await((long) jittered, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        }
    }

    private @Nullable Failed post(byte[] list) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(target.url())
                .timeout(timeouts.response())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, */*")
                .header("User-Agent", "plat")
                .POST(HttpRequest.BodyPublishers.ofByteArray(list));
        try {
            if (target.token() != null) {
                request.header("Authorization", "Bearer " + target.token().read());
            }
        } catch (ProblemsException unreadable) {
            return new Failed(Quoted.oneLine(String.valueOf(unreadable.getMessage())), true);
        }
        CompletableFuture<HttpResponse<Void>> response =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            // The client's own timeout ends with the headers; this one covers the body as well.
            return failureOf(response.get(timeouts.response().toNanos(), TimeUnit.NANOSECONDS)
                    .statusCode());
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            return new Failed(Quoted.oneLine(cause.getClass().getSimpleName() + ": " + cause.getMessage()), true);
        } catch (TimeoutException late) {
            return new Failed("no response within " + timeouts.response().toMillis() + " ms", true);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", interrupted);
        } finally {
            response.cancel(true);
        }
    }

    private static @Nullable Failed failureOf(int code) {
        return code >= 200 && code < 300 ? null : new Failed("HTTP " + code, code == 429 || code >= 500);
    }

    @Override
    public void ending() {
        stopping.countDown();
        Tasks.later("audit-webhook-end", END, client::shutdownNow);
    }

    @Override
    public void close() {
        ending();
        client.shutdownNow();
        target.tls().close();
    }
}
