package io.plat.engine.webhook;

import io.plat.review.codec.MalformedAnswerException;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/** One attempt after another over connections that are kept open. */
final class RemoteDecider implements AutoCloseable {
    private static final int LONGEST_WAIT_SECONDS = 3600;
    private static final String REVISION = "Policy-Revision";

    private final Endpoint endpoint;
    private final HttpClient client;

    RemoteDecider(Endpoint endpoint, Duration connectTimeout) {
        this.endpoint = endpoint;
        this.client = HttpClient.newBuilder()
                .sslContext(endpoint.tls())
                .connectTimeout(connectTimeout)
                // Of HTTP/2 this client keeps one connection a host, and fails what goes beyond the streams that the
                // server takes.
                .version(HttpClient.Version.HTTP_1_1)
                // A redirect would let whoever answers choose who decides; a proxy from the environment likewise.
                .followRedirects(HttpClient.Redirect.NEVER)
                .proxy(HttpClient.Builder.NO_PROXY)
                .build();
    }

    /**
     * What it can be asked.
     *
     * @param url where
     * @param maxBytes the largest answer that is read, in bytes
     * @param decoder reads an answer
     * @param <T> what an answer says
     */
    record Subject<T>(URI url, int maxBytes, Decoder<T> decoder) {}

    /** Reads an answer. */
    @FunctionalInterface
    interface Decoder<T> {
        T decode(byte[] body) throws MalformedAnswerException;
    }

    /** Asks once, and waits for no longer than said. */
    <T> Reply<T> ask(Subject<T> subject, byte[] question, Duration atMost) throws InterruptedException {
        HttpRequest request;
        try {
            request = request(subject.url(), question, atMost);
        } catch (ProblemsException e) {
            return new Reply.Failed<>(Quoted.oneLine(String.valueOf(e.getMessage())));
        }
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<HttpResponse<byte[]>> response =
                client.sendAsync(request, limited(subject.maxBytes(), begun));
        try {
            // The client's own timeout ends with the headers; this one covers the body as well.
            return reply(subject, response.get(atMost.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException e) {
            return Failures.reply(e.getCause() == null ? e : e.getCause(), begun.get());
        } catch (TimeoutException e) {
            return new Reply.TimedOut<>("no answer in time");
        } finally {
            // Gives the connection up where the answer is not complete; of no effect otherwise.
            response.cancel(true);
        }
    }

    private HttpRequest request(URI url, byte[] question, Duration atMost) throws ProblemsException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url)
                .timeout(atMost)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json")
                .header("User-Agent", "plat")
                .POST(BodyPublishers.ofByteArray(question));
        if (endpoint.token() != null) {
            request.header("Authorization", "Bearer " + endpoint.token().read());
        }
        return request.build();
    }

    private static BodyHandler<byte[]> limited(int maxBytes, AtomicBoolean begun) {
        BodyHandler<byte[]> limited = BodyHandlers.limiting(BodyHandlers.ofByteArray(), maxBytes);
        return head -> {
            begun.set(true);
            return limited.apply(head);
        };
    }

    private static <T> Reply<T> reply(Subject<T> subject, HttpResponse<byte[]> response) {
        int code = response.statusCode();
        if (code >= 200 && code < 300) {
            return answer(subject, response);
        }
        String reason = "HTTP " + code + message(response.body());
        if (code == 429 || code >= 500) {
            return new Reply.Unavailable<>(reason, retryAfter(response.headers()));
        }
        return new Reply.Failed<>(code < 400 ? reason + ", and redirects are not followed" : reason);
    }

    private static <T> Reply<T> answer(Subject<T> subject, HttpResponse<byte[]> response) {
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (!isJson(type)) {
            return new Reply.Failed<>("expected an answer of type application/json, found " + Quoted.of(type));
        }
        try {
            T answer = subject.decoder().decode(response.body());
            String revision = response.headers().firstValue(REVISION).orElse("");
            return new Reply.Answered<>(answer, RevisionName.of(revision));
        } catch (MalformedAnswerException e) {
            return new Reply.Failed<>("HTTP " + response.statusCode() + ": " + e.getMessage());
        }
    }

    /** No type at all is taken for JSON, as existing servers do; parameters do not matter. */
    private static boolean isJson(String type) {
        int end = type.indexOf(';');
        String media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.isEmpty() || media.equals("application/json");
    }

    private static String message(byte[] body) {
        return StatusCodec.decode(body)
                .map(status -> ": " + OneLine.of(status.message()))
                .orElse("");
    }

    private static Duration retryAfter(HttpHeaders headers) {
        String value = headers.firstValue("Retry-After").orElse("0");
        // A date, the other form, is not worth a clock that has to agree with the decider's.
        boolean seconds = value.length() <= 4 && value.chars().allMatch(c -> c >= '0' && c <= '9') && !value.isEmpty();
        return Duration.ofSeconds(seconds ? Math.min(Integer.parseInt(value), LONGEST_WAIT_SECONDS) : 0);
    }

    /** The connections, for what else is asked of the same decider. */
    HttpClient client() {
        return client;
    }

    /** Gives up what is being asked and closes every connection. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
