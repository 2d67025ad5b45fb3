package io.plat.apiserver.front;

import io.plat.apiserver.endpoint.ApiResponse;
import io.plat.apiserver.endpoint.Dispatcher;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.lease.LeasedStream;
import io.plat.apiserver.lease.StreamLease;
import io.plat.apiserver.lease.StreamLeases;
import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.metrics.RequestMeters;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.watch.WatchRequest;
import io.plat.http.StatusResponses;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Request and its response. A Status thrown by a filter or endpoint is the response; an unexpected exception is logged and becomes a 500
 * without details. The request is counted once when it is complete, regardless of its result.
 */
record ApiExchange(Call call, Request request, Response response, Callback completes, RequestMeters meters)
        implements Callback {
    private static final Logger LOG = LoggerFactory.getLogger(ApiExchange.class);

    /** Serves a request, or fails with a Status. */
    @FunctionalInterface
    interface Handler {
        void run() throws StatusException;
    }

    /** Runs a step and responds to its failures: some threads have no caller that could. */
    void guard(Handler serving) {
        try {
            serving.run();
        } catch (StatusException refused) {
            refuse(refused.status());
        } catch (RequestLimitException limited) {
            if (response.isCommitted()) {
                failed(limited);
            } else {
                refuse(limited.status());
            }
        } catch (RuntimeException | Error unexpected) {
            panic(unexpected);
        }
    }

    /** Charges the memory that the response occupies while it is being sent, and audits it before sending if requests wait for that. */
    void record(ApiResponse answer) {
        if (ResponseWriter.waits(answer)) {
            RequestMemory.current().charge(answer.body().retained());
        }
        call.audit(record -> {
            record.responseStarted(answer.code());
            if (!ResponseWriter.waits(answer)) {
                record.complete();
            }
        });
    }

    void write(ApiResponse answer, StreamLeases leases) {
        ResponseWriter.write(answer, request, response, this, stream -> lease(stream, leases));
    }

    void watch(WatchRequest watch, ApiHandler.Streams streams) throws StatusException {
        StreamLease lease = streams.leases().of(call);
        streams.watches().serve(watch, lease, request, response, this);
        call.audit(record -> record.responseStarted(200));
    }

    /** Streams decisions as they are made. */
    void showDecisions(ApiHandler.Streams streams) {
        lease(() -> streams.live().end(request), streams.leases());
        streams.live().serve(request, response, this);
        call.audit(record -> record.responseStarted(200));
    }

    private void lease(LeasedStream stream, StreamLeases leases) {
        StreamLease lease = leases.of(call);
        call.incoming().onCompletion(lease::release);
        lease.begin(stream);
    }

    private void panic(Throwable unexpected) {
        LOG.error(
                "a request failed: method={} path={}",
                request.getMethod(),
                request.getHttpURI().getPath(),
                unexpected);
        call.audit(record -> record.panicked(unexpected));
        if (response.isCommitted()) {
            failed(unexpected);
        } else {
            answer(StatusResponses.failed(unexpected));
        }
    }

    void refuse(Status status) {
        call.audit(record -> {
            byte[] json = StatusCodec.encode(status);
            record.responseObject(json.length, out -> out.write(json));
            record.failed(status);
            record.complete();
        });
        Dispatcher.warnings(call.warnings())
                .forEach(value -> response.getHeaders().add(Dispatcher.WARNING, value));
        answer(status);
    }

    private void answer(Status status) {
        if (status.code() == StatusReason.UNAUTHORIZED.code()) {
            // RFC 9110, 15.5.2: a 401 names an accepted authentication scheme.
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        Representation form = Negotiation.failure(Preferences.of(new JettyRequest(request)));
        StatusResponses.answer(request, response, this, status, form.contentType(), form.status(status));
    }

    private void complete() {
        call.complete();
        boolean patches = "PATCH".equals(request.getMethod());
        meters.answered(
                call.parsedInfo(),
                patches ? call.incoming().header("Content-Type") : "",
                response.getStatus(),
                NanoTime.since(request.getHeadersNanoTime()),
                Response.getContentBytesWritten(response));
    }

    @Override
    public void succeeded() {
        complete();
        completes.succeeded();
    }

    @Override
    public void failed(Throwable cause) {
        complete();
        completes.failed(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return completes.getInvocationType();
    }
}
