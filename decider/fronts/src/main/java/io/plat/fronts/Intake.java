package io.plat.fronts;

import io.plat.http.BoundedBody;
import io.plat.http.FairLimit;
import io.plat.http.InFlightLimit;
import io.plat.http.RequestClient;
import io.plat.http.StatusResponses;
import io.plat.http.metrics.ServerMetrics;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Admission of requests and reading of their bodies: unreadable requests, and those beyond the limit in flight, are rejected. */
public final class Intake {
    /** Maximum size, in bytes, of a body that is processed on a thread that others wait for. */
    public static final int AT_ONCE = 64 << 10;

    private final InFlightLimit limit;
    private final ServerMetrics metrics;
    private final int bodyLimit;

    /** Handler of a request whose body has been read. */
    @FunctionalInterface
    public interface BodyHandler {
        /** Handles the whole body: the first {@code count} bytes of an array that the handler owns. */
        void received(byte[] bytes, int count);
    }

    /**
     * Creates an intake.
     *
     * @param limit maximum number of requests in flight; 0 is unlimited
     * @param bodyLimit maximum size of a body, in bytes
     */
    public Intake(int limit, ServerMetrics metrics, int bodyLimit) {
        this(new InFlightLimit(limit), metrics, bodyLimit);
    }

    private Intake(InFlightLimit limit, ServerMetrics metrics, int bodyLimit) {
        this.limit = limit;
        this.metrics = metrics;
        this.bodyLimit = bodyLimit;
    }

    /** Returns an intake of other bodies that shares the limit in flight. */
    public Intake withBodyLimit(int bytes) {
        return new Intake(limit, metrics, bytes);
    }

    /** Returns an intake of similar requests with a separate limit in flight. */
    public Intake withLimit(int other) {
        return new Intake(other, metrics, bodyLimit);
    }

    /**
     * Admits a request.
     *
     * @param refusal the reason for rejecting it, or null
     * @param handler creates its handler
     */
    public void take(
            Request request,
            Response response,
            Callback callback,
            @Nullable Status refusal,
            Function<Exchange, BodyHandler> handler) {
        if (refusal != null) {
            if (refusal.code() == 405) {
                response.getHeaders().put(HttpHeader.ALLOW, "POST");
            }
            StatusResponses.answer(request, response, callback, refusal);
            return;
        }
        @Nullable Exchange exchange = admit(request, response, callback);
        if (exchange != null) {
            BoundedBody.read(request, bodyLimit, new BodyReceiver(exchange, handler.apply(exchange), metrics));
        }
    }

    /** Admits a request whose body is not read, and returns its exchange; rejects it and returns null if too many are in flight. */
    public @Nullable Exchange admit(Request request, Response response, Callback callback) {
        InFlightLimit.@Nullable Permit permit = limit.acquire(RequestClient.of(request));
        if (permit == null) {
            metrics.requestRefused();
            StatusResponses.answer(request, response, callback, FairLimit.REFUSED);
            return null;
        }
        Request.addCompletionListener(request, failure -> permit.release());
        return new Exchange(request, response, callback, permit);
    }

    private record BodyReceiver(Exchange exchange, BodyHandler handler, ServerMetrics metrics)
            implements BoundedBody.Receiver {
        @Override
        public void awaited() {
            exchange.permit().awaitBody();
        }

        @Override
        public void received(byte[] bytes, int count) {
            if (exchange.permit().bodyArrived()) {
                handler.received(bytes, count);
            } else {
                metrics.requestRefused();
                exchange.refuse(FairLimit.REFUSED);
            }
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof StatusException e) {
                exchange.refuse(e.status());
            } else {
                exchange.callback().failed(cause);
            }
        }
    }

    /** A step in the processing of a request. */
    @FunctionalInterface
    public interface Step {
        /**
         * Runs the step.
         *
         * @throws StatusException the answer to the request, if there is no other
         */
        void run() throws StatusException;
    }

    /**
     * HTTP request and response of an admitted request.
     *
     * @param permit its permit among the requests in flight
     * @param failed whether an unexpected exception was answered; several threads may fail for one request
     */
    public record Exchange(
            Request request, Response response, Callback callback, InFlightLimit.Permit permit, AtomicBoolean failed) {
        public Exchange(Request request, Response response, Callback callback, InFlightLimit.Permit permit) {
            this(request, response, callback, permit, new AtomicBoolean());
        }

        /** Runs a step, and answers with its status if it throws one. */
        public void run(Step step) {
            try {
                step.run();
            } catch (StatusException e) {
                refuse(e.status());
            }
        }

        /** Runs a step on a thread without a caller: an unexpected exception is answered too. */
        public void runDetached(Step step) {
            try {
                run(step);
            } catch (RuntimeException bug) {
                if (!failed.getAndSet(true)) {
                    Response.writeError(request, response, callback, bug);
                }
            }
        }

        /** Runs a step that computes for long on a platform thread, as it would delay other virtual threads on a carrier thread. */
        public void compute(String name, Step step) {
            Tasks.platform(name, () -> runDetached(step));
        }

        public String decisionId() {
            return Objects.requireNonNullElse(response.getHeaders().get(ResponseHeaders.DECISION_ID), "");
        }

        /** Sends a JSON document. The permit may be lost while the client does not read. */
        public void answer(int code, byte[] body) {
            permit.release();
            response.setStatus(code);
            HttpFields.Mutable headers = response.getHeaders();
            headers.put(ResponseHeaders.JSON);
            headers.put(ResponseHeaders.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, body.length);
            response.write(true, ByteBuffer.wrap(body), callback);
        }

        /** Sends a Status. The permit may be lost while the client does not read. */
        public void refuse(Status status) {
            permit.release();
            StatusResponses.answer(request, response, callback, status);
        }
    }
}
