package io.plat.client.remote;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Client of one address of a decider, which sends requests over persistent connections. The calling thread writes and reads itself, as handing over
 * to another thread would take longer than the decision.
 */
public final class RemoteDecider implements AutoCloseable {
    private static final int MAX_WAIT_SECONDS = 3600;
    private static final String REVISION = "Policy-Revision";
    private static final String LATE = "no answer in time";

    private final Endpoint endpoint;
    private final ConnectionPool connections;
    private final Deadlines deadlines;
    private final HostProgram program;

    /**
     * Creates a client without connecting.
     *
     * @param deadlines aborts slow requests; closed by its creator
     */
    RemoteDecider(
            Endpoint endpoint, InetAddress address, Duration connectTimeout, Deadlines deadlines, HostProgram program) {
        this.endpoint = endpoint;
        this.connections = new ConnectionPool(endpoint, address, connectTimeout);
        this.deadlines = deadlines;
        this.program = program;
    }

    /**
     * A type of request.
     *
     * @param url returns its URL for that of the endpoint
     * @param maxBytes maximum size of the response, in bytes
     * @param <T> the decoded response
     */
    public record RequestType<T>(UnaryOperator<URI> url, int maxBytes, Decoder<T> decoder) {}

    /** Decoder of a response. */
    @FunctionalInterface
    public interface Decoder<T> {
        /**
         * Decodes the body of a response.
         *
         * @throws MalformedAnswerException if it is not the expected answer
         */
        T decode(byte[] body) throws MalformedAnswerException;
    }

    /** State of an attempt: whether a response has started. Confined to the calling thread. */
    private static final class Attempt {
        private boolean begun;
        private boolean kept;
    }

    /** Sends a request once, with a time limit. */
    <T> Reply<T> send(RequestType<T> type, byte[] body, Duration atMost) throws InterruptedException {
        if (connections.isClosed()) {
            return new Reply.Unavailable<>("the client is closed", Duration.ZERO, true);
        }
        if (atMost.compareTo(Duration.ZERO) <= 0) {
            return new Reply.TimedOut<>(LATE);
        }
        long begin = System.nanoTime();
        Attempt attempt = new Attempt();
        Reply<T> reply = attempt(attempt, type, body, atMost);
        if (reply instanceof Reply.Unavailable<T> && !attempt.begun && attempt.kept) {
            Duration remaining = atMost.minusNanos(System.nanoTime() - begin);
            if (remaining.compareTo(Duration.ZERO) > 0) {
                connections.forget();
                return attempt(new Attempt(), type, body, remaining);
            }
        }
        return reply;
    }

    private <T> Reply<T> attempt(Attempt attempt, RequestType<T> type, byte[] body, Duration atMost)
            throws InterruptedException {
        Exchange request;
        try {
            request = connections.prepared(type.url().apply(endpoint.url()), "application/json", body, atMost);
        } catch (IOException e) {
            return new Reply.Failed<>(SanitizedText.of(String.valueOf(e.getMessage())));
        }
        try (Deadlines.Deadline deadline = deadlines.in(atMost, request::cancel)) {
            try {
                return connections.execute(request, response -> {
                    attempt.begun = true;
                    return reply(type, response);
                });
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                attempt.kept = request.wasOnReusedConnection();
                return deadline.passed() ? new Reply.TimedOut<>(LATE) : ConnectionFailures.reply(e, attempt.begun);
            }
        }
    }

    private static <T> Reply<T> reply(RequestType<T> type, HttpResponse response) throws IOException {
        byte[] body = body(response, type.maxBytes());
        int code = response.code();
        if (code >= 200 && code < 300) {
            return answer(type, response, body);
        }
        String reason = "HTTP " + code + message(body);
        if (code == 429 || code >= 500) {
            // Any other failure may be specific to this request.
            return new Reply.Unavailable<>(reason, retryAfter(response), code >= 502 && code <= 504);
        }
        return new Reply.Failed<>(code < 400 ? reason + ", and redirects are not followed" : reason);
    }

    /** Reads the body. An oversized body fails like an unreadable one: the connection is closed, not read to the end. */
    private static byte[] body(HttpResponse response, int maxBytes) throws IOException {
        byte[] body = response.body().readNBytes(maxBytes + 1);
        if (body.length > maxBytes) {
            throw new IOException("it has more than " + maxBytes + " bytes");
        }
        return body;
    }

    private static <T> Reply<T> answer(RequestType<T> type, HttpResponse response, byte[] body) {
        String mediaType = response.header("Content-Type", "");
        if (!isJson(mediaType)) {
            return new Reply.Failed<>(
                    "expected an answer of type application/json, found " + SanitizedText.quoted(mediaType));
        }
        try {
            T answer = type.decoder().decode(body);
            return new Reply.Answered<>(answer, RevisionName.of(response.header(REVISION, "")));
        } catch (MalformedAnswerException e) {
            return new Reply.Failed<>("HTTP " + response.code() + ": " + e.getMessage());
        }
    }

    /** Returns whether a media type is JSON; a missing one counts as JSON, as in kube-apiserver; parameters are ignored. */
    private static boolean isJson(String mediaType) {
        int end = mediaType.indexOf(';');
        String media =
                (end < 0 ? mediaType : mediaType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.isEmpty() || media.equals("application/json");
    }

    /** Returns the message of a Status after a colon; {@code ""} if the body is not a Status. */
    private static String message(byte[] body) {
        String message = "";
        boolean status = false;
        try (JsonParser json = Json.parser(body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            for (String name = json.nextFieldName(); name != null; name = json.nextFieldName()) {
                JsonToken value = json.nextToken();
                if (name.equals("message") && value == JsonToken.VALUE_STRING) {
                    message = json.getText();
                } else if (name.equals("kind")) {
                    status = "Status".equals(json.getText());
                }
                json.skipChildren();
            }
        } catch (IOException e) {
            return "";
        }
        return status ? ": " + SanitizedText.of(message) : "";
    }

    private static Duration retryAfter(HttpResponse response) {
        String value = response.header("Retry-After", "0");
        // Dates, the other form, are ignored, as they require synchronized clocks.
        boolean seconds = value.length() <= 4 && value.chars().allMatch(c -> c >= '0' && c <= '9') && !value.isEmpty();
        return Duration.ofSeconds(seconds ? Math.min(Integer.parseInt(value), MAX_WAIT_SECONDS) : 0);
    }

    /** Returns a subscription to the decider's revisions, which has to be started. */
    RevisionStream revisions(RevisionStream.Listener listener, RevisionStream.Timing timing) {
        return new RevisionStream(endpoint.revisions(), connections, deadlines, program, listener, timing);
    }

    /** Aborts requests in progress and closes all connections. */
    @Override
    public void close() {
        connections.close();
    }
}
