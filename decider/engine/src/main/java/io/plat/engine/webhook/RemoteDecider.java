package io.plat.engine.webhook;

import io.plat.review.codec.MalformedResponseException;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.Quoted;
import io.plat.review.status.StatusCodec;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.MessageHeaders;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/**
 * Client of one address of a decider, which sends requests over persistent connections. The calling thread writes and reads itself: handing over
 * to a thread of a client would take longer than the decision.
 */
final class RemoteDecider implements AutoCloseable {
    private static final int LONGEST_WAIT_SECONDS = 3600;
    private static final String REVISION = "Policy-Revision";
    private static final String LATE = "no answer in time";
    private static final byte[] NOTHING = {};

    private final Endpoint endpoint;
    private final ConnectionPool connections;
    private final Deadlines deadlines;

    /**
     * Creates a client without connecting.
     *
     * @param deadlines aborts slow requests; closed by its creator
     */
    RemoteDecider(Endpoint endpoint, InetAddress address, Duration connectTimeout, Deadlines deadlines) {
        this.endpoint = endpoint;
        this.connections = new ConnectionPool(endpoint, address, connectTimeout);
        this.deadlines = deadlines;
    }

    /**
     * A type of request.
     *
     * @param url its URL
     * @param maxBytes maximum size of the response, in bytes
     * @param decoder decoder of the response
     * @param <T> the decoded response
     */
    record Subject<T>(URI url, int maxBytes, Decoder<T> decoder) {}

    /** Reads an answer. */
    @FunctionalInterface
    interface Decoder<T> {
        T decode(byte[] body) throws MalformedResponseException;
    }

    /** State of an attempt, for failures. Confined to the calling thread. */
    private static final class Attempt {
        private final HttpClientContext context = HttpClientContext.create();
        private boolean begun;

        /** A connection from an earlier question may have been closed by the decider since: nothing was judged then. */
        boolean wasOnKeptConnection() {
            return context.getEndpointDetails() != null
                    && context.getEndpointDetails().getRequestCount() > 1;
        }
    }

    /** Sends a request once, with a time limit. */
    <T> Reply<T> ask(Subject<T> subject, byte[] question, Duration atMost) throws InterruptedException {
        if (connections.isClosed()) {
            return new Reply.Unavailable<>("no further requests are sent to it", Duration.ZERO, true);
        }
        if (!atMost.isPositive()) {
            return new Reply.TimedOut<>(LATE);
        }
        long begin = System.nanoTime();
        Attempt attempt = new Attempt();
        Reply<T> reply = attempt(attempt, subject, question, atMost);
        if (reply instanceof Reply.Unavailable<T> && !attempt.begun && attempt.wasOnKeptConnection()) {
            Duration left = atMost.minusNanos(System.nanoTime() - begin);
            if (left.isPositive()) {
                connections.forget();
                return attempt(new Attempt(), subject, question, left);
            }
        }
        return reply;
    }

    private <T> Reply<T> attempt(Attempt attempt, Subject<T> subject, byte[] question, Duration atMost)
            throws InterruptedException {
        HttpPost request;
        try {
            request = connections.prepared(new HttpPost(subject.url()), "application/json", atMost);
        } catch (ProblemsException e) {
            return new Reply.Failed<>(Quoted.oneLine(String.valueOf(e.getMessage())));
        }
        request.setEntity(new ByteArrayEntity(question, ContentType.create("application/json")));
        try (Deadlines.Deadline deadline = deadlines.in(atMost, () -> connections.cancel(request))) {
            try {
                return connections.execute(request, attempt.context, response -> {
                    attempt.begun = true;
                    return reply(subject, response);
                });
            } catch (IOException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                return deadline.passed() ? new Reply.TimedOut<>(LATE) : ClientFailures.reply(e, attempt.begun);
            }
        }
    }

    private static <T> Reply<T> reply(Subject<T> subject, ClassicHttpResponse response) throws IOException {
        byte[] body = body(response.getEntity(), subject.maxBytes());
        int code = response.getCode();
        if (code >= 200 && code < 300) {
            return answer(subject, response, body);
        }
        String reason = "HTTP " + code + message(body);
        if (code == 429 || code >= 500) {
            // Any other failure may be this question's alone.
            return new Reply.Unavailable<>(reason, retryAfter(response), code >= 502 && code <= 504);
        }
        return new Reply.Failed<>(code < 400 ? reason + ", and redirects are not followed" : reason);
    }

    /** A body that is too long fails as one does that can't be read, so that its connection is given up and not read to its end. */
    private static byte[] body(@Nullable HttpEntity entity, int maxBytes) throws IOException {
        if (entity == null) {
            return NOTHING;
        }
        try (InputStream in = entity.getContent()) {
            byte[] body = in.readNBytes(maxBytes + 1);
            if (body.length > maxBytes) {
                throw new IOException("it has more than " + maxBytes + " bytes");
            }
            return body;
        }
    }

    private static <T> Reply<T> answer(Subject<T> subject, ClassicHttpResponse response, byte[] body) {
        String type = value(response, HttpHeaders.CONTENT_TYPE, "");
        if (!isJson(type)) {
            return new Reply.Failed<>("expected an answer of type application/json, found " + Quoted.of(type));
        }
        try {
            T answer = subject.decoder().decode(body);
            return new Reply.Answered<>(answer, RevisionName.of(value(response, REVISION, "")));
        } catch (MalformedResponseException e) {
            return new Reply.Failed<>("HTTP " + response.getCode() + ": " + e.getMessage());
        }
    }

    private static String value(MessageHeaders headers, String name, String otherwise) {
        @Nullable Header header = headers.getFirstHeader(name);
        return header == null || header.getValue() == null ? otherwise : header.getValue();
    }

    /** Returns whether a type is JSON; a missing one counts as JSON, as in kube-apiserver; parameters are ignored. */
    private static boolean isJson(String type) {
        int end = type.indexOf(';');
        String media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.isEmpty() || media.equals("application/json");
    }

    private static String message(byte[] body) {
        return StatusCodec.decode(body)
                .map(status -> ": " + Quoted.shortLine(status.message()))
                .orElse("");
    }

    private static Duration retryAfter(MessageHeaders headers) {
        String value = value(headers, HttpHeaders.RETRY_AFTER, "0");
        // A date, the other form, is not worth a clock that has to agree with the decider's.
        boolean seconds = value.length() <= 4 && value.chars().allMatch(c -> c >= '0' && c <= '9') && !value.isEmpty();
        return Duration.ofSeconds(seconds ? Math.min(Integer.parseInt(value), LONGEST_WAIT_SECONDS) : 0);
    }

    /** Returns a stream of the decider's revisions over connections of this address; it has to be started. */
    RevisionStream revisions(RevisionStream.Listener listener, RevisionStream.Timing timing) {
        return new RevisionStream(endpoint.revisions(), connections, deadlines, listener, timing);
    }

    /** Aborts requests in progress and closes all connections. */
    @Override
    public void close() {
        connections.close();
    }
}
