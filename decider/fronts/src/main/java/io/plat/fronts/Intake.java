package io.plat.fronts;

import io.plat.http.BoundedBody;
import io.plat.http.FairLimit;
import io.plat.http.InFlightPlaces;
import io.plat.http.RequestClient;
import io.plat.http.StatusResponses;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Intake of questions until their bodies are read: those that cannot be read and those beyond the limit in flight are rejected. */
public final class Intake {
    /** Maximum size, in bytes, of a body that is read on a thread that others wait for. */
    public static final int AT_ONCE = 64 << 10;

    private final InFlightPlaces places;
    private final ServerMetrics metrics;
    private final int bodyLimit;

    /** Answers a question once its body is there. */
    @FunctionalInterface
    public interface Answerer {
        /** The whole body, of which the first {@code count} bytes belong to it; they are the answerer's own. */
        void received(byte[] bytes, int count);
    }

    /**
     * Creates an intake.
     *
     * @param limit how many questions may be in flight; 0 is no limit
     * @param bodyLimit the largest body, in bytes
     */
    public Intake(int limit, ServerMetrics metrics, int bodyLimit) {
        this.places = new InFlightPlaces(limit);
        this.metrics = metrics;
        this.bodyLimit = bodyLimit;
    }

    /**
     * Admits a request.
     *
     * @param refusal the reason for rejecting it, or null
     * @param answerer creates its answerer
     */
    public void take(
            Request request,
            Response response,
            Callback callback,
            @Nullable Status refusal,
            Function<Exchange, Answerer> answerer) {
        if (refusal != null) {
            if (refusal.code() == 405) {
                response.getHeaders().put(HttpHeader.ALLOW, "POST");
            }
            StatusResponses.answer(request, response, callback, refusal);
            return;
        }
        @Nullable Exchange exchange = admit(request, response, callback);
        if (exchange != null) {
            BoundedBody.read(request, bodyLimit, new Arriving(exchange, answerer.apply(exchange), metrics));
        }
    }

    /** Admits a request whose body is not read, and returns its exchange; null after it was rejected, as too many are in flight. */
    public @Nullable Exchange admit(Request request, Response response, Callback callback) {
        InFlightPlaces.@Nullable Place place = places.enter(RequestClient.of(request));
        if (place == null) {
            metrics.requestRefused();
            StatusResponses.answer(request, response, callback, FairLimit.REFUSED);
            return null;
        }
        Request.addCompletionListener(request, failure -> place.leave());
        return new Exchange(request, response, callback, place);
    }

    /** The body of a question on its way. */
    private record Arriving(Exchange exchange, Answerer answerer, ServerMetrics metrics)
            implements BoundedBody.Receiver {
        @Override
        public void awaited() {
            exchange.place().bodyIsAwaited();
        }

        @Override
        public void received(byte[] bytes, int count) {
            if (exchange.place().bodyIsHere()) {
                answerer.received(bytes, count);
            } else {
                metrics.requestRefused();
                exchange.refuse(FairLimit.REFUSED);
            }
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof StatusException refused) {
                exchange.refuse(refused.status());
            } else {
                exchange.callback().failed(cause);
            }
        }
    }

    /**
     * The exchange of HTTP that a question is a part of.
     *
     * @param place its place among those in flight
     */
    public record Exchange(Request request, Response response, Callback callback, InFlightPlaces.Place place) {
        /** Sends a JSON document. A client that does not read it does not hold its place in flight. */
        public void answer(int code, byte[] body) {
            place.leave();
            response.setStatus(code);
            HttpFields.Mutable headers = response.getHeaders();
            headers.put(AnswerHeaders.JSON);
            headers.put(AnswerHeaders.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, body.length);
            response.write(true, ByteBuffer.wrap(body), callback);
        }

        /** Sends a Status. A client that does not read it does not hold its place in flight. */
        public void refuse(Status status) {
            place.leave();
            StatusResponses.answer(request, response, callback, status);
        }

        /** Answers for a thread that has no caller that could do so in its place. */
        public void fail(RuntimeException bug) {
            Response.writeError(request, response, callback, bug);
        }
    }
}
