package io.plat.apiserver.front;

import io.plat.apiserver.audit.AuditId;
import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.endpoint.Answer;
import io.plat.apiserver.endpoint.Dispatch;
import io.plat.apiserver.endpoint.WarningHeader;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.Incoming;
import io.plat.apiserver.lease.LeasedStream;
import io.plat.apiserver.lease.StreamLease;
import io.plat.apiserver.lease.StreamLeases;
import io.plat.apiserver.live.LiveDecisions;
import io.plat.apiserver.memory.RequestLimitException;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.metrics.RequestMeters;
import io.plat.apiserver.representation.Negotiation;
import io.plat.apiserver.representation.Preferences;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.watch.WatchRequest;
import io.plat.apiserver.watch.Watches;
import io.plat.http.ReadingThread;
import io.plat.http.RequestClient;
import io.plat.http.StatusAnswers;
import io.plat.http.WaitingThreads;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes every request: filters first, then the endpoint, or the watches for one that lasts. What a filter or an endpoint refuses is
 * answered with its Status; an exception that nobody expected is logged and answered 500, without any detail.
 *
 * <p>What is decided and read from memory is answered on the thread that read the request. What has to be asked first goes on, on a
 * thread for such questions; all else has a virtual thread.
 */
public final class ApiStep extends Handler.Wrapper {
    private static final Logger LOG = LoggerFactory.getLogger(ApiStep.class);

    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final FilterChain filters;
    private final Dispatch dispatch;
    private final Streams streams;
    private final RequestMeters meters;
    private final AuditId ids = new AuditId();
    private final ExecutorService threads = Tasks.virtualThreads("request");
    private final WaitingThreads asking = new WaitingThreads("asking");

    /**
     * The answers that last.
     *
     * @param watches watches
     * @param live decisions as they are made
     * @param leases the right of each to go on
     */
    public record Streams(Watches watches, LiveDecisions live, StreamLeases leases) {
        /** Ends them all, and those that begin from now on: they would not end by themselves, and clients know how to go on elsewhere. */
        public void endAll() {
            watches.close();
            live.endAll();
            leases.endAll();
        }
    }

    /** A step that serves what the filters let through, and counts all requests. */
    public ApiStep(FilterChain filters, Dispatch dispatch, Streams streams, RequestMeters meters) {
        this.filters = filters;
        this.dispatch = dispatch;
        this.streams = streams;
        this.meters = meters;
    }

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback completes) {
        Incoming incoming = new JettyIncoming(request);
        Call call = new Call(incoming, ids.of(incoming.header(AuditId.HEADER)));
        response.getHeaders().put(AuditId.HEADER, call.id());
        Callback callback = new CountedCallback(meters, call, request, response, completes);
        try {
            boolean asks = !filters.admitAtOnce(call);
            boolean brief = dispatch.answersFromMemory(call);
            ReadingThread.expectWait(request, asks && brief);
            if (asks) {
                // What takes longer than its question must not keep a thread that reads.
                boolean here = brief && ReadingThread.mayWait(request);
                asking.execute(() -> serve(call, request, response, callback), here);
            } else if (brief) {
                serveAtOnce(call, request, response, callback);
            } else {
                threads.execute(() -> serve(call, request, response, callback));
            }
        } catch (StatusException refused) {
            refuse(call, refused.status(), request, response, callback);
        } catch (RejectedExecutionException stopped) {
            refuse(call, STOPPING, request, response, callback);
        }
        return true;
    }

    private void serveAtOnce(Call call, Request request, Response response, Callback callback) throws StatusException {
        Answer answer;
        try {
            answer = dispatch.answer(call);
        } catch (RequestLimitException limited) {
            refuse(call, limited.status(), request, response, callback);
            return;
        } catch (RuntimeException unexpected) {
            failed(call, unexpected, request, response, callback);
            return;
        }
        tell(call, answer);
        if (AnswerWriter.waits(answer)) {
            threads.execute(() -> AnswerWriter.write(answer, request, response, callback));
        } else {
            AnswerWriter.write(answer, request, response, callback);
        }
    }

    private void serve(Call call, Request request, Response response, Callback callback) {
        RequestMemory.serving(() -> RequestClient.of(request), () -> serveWithin(call, request, response, callback));
    }

    private void serveWithin(Call call, Request request, Response response, Callback callback) {
        try {
            filters.admitAfterwards(call);
            RequestClient.is(request, call.client());
            Optional<WatchRequest> watch = dispatch.watch(call);
            if (watch.isPresent()) {
                StreamLease lease = streams.leases().of(call, new JettyIncoming(request));
                streams.watches().serve(watch.get(), lease, request, response, callback);
                tellOfStream(call);
            } else if (dispatch.showsDecisions(call)) {
                lease(call, request);
                streams.live().serve(request, response, callback);
                tellOfStream(call);
            } else {
                Answer answer = dispatch.answer(call);
                tell(call, answer);
                if (answer.body().live()) {
                    lease(call, request);
                }
                AnswerWriter.write(answer, request, response, callback);
            }
        } catch (StatusException refused) {
            refuse(call, refused.status(), request, response, callback);
        } catch (RequestLimitException limited) {
            if (response.isCommitted()) {
                callback.failed(limited);
            } else {
                refuse(call, limited.status(), request, response, callback);
            }
        } catch (RuntimeException | Error unexpected) {
            // This thread has no caller that could answer in its place.
            failed(call, unexpected, request, response, callback);
        }
    }

    /** Has the answer end with the right to it, by the end of its connection, which nobody shares under HTTP/1.1. */
    private void lease(Call call, Request request) {
        StreamLease lease = streams.leases().of(call, new JettyIncoming(request));
        call.incoming().onCompletion(lease::release);
        EndPoint connection = request.getConnectionMetaData().getConnection().getEndPoint();
        lease.begin(new LeasedStream() {
            @Override
            public void end() {
                connection.close();
            }

            @Override
            public void cutOff() {
                connection.close();
            }
        });
    }

    /** What is answered at once is recorded before anybody can have it, where requests wait for that. */
    private static void tell(Call call, Answer answer) {
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            audited.answering(answer.code());
            if (!AnswerWriter.waits(answer)) {
                audited.complete();
            }
        }
    }

    private static void tellOfStream(Call call) {
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            audited.answering(200);
        }
    }

    private static void failed(Call call, Throwable unexpected, Request request, Response response, Callback callback) {
        LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), unexpected);
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            audited.panicked(unexpected);
        }
        if (response.isCommitted()) {
            callback.failed(unexpected);
        } else {
            answer(StatusAnswers.failed(unexpected), request, response, callback);
        }
    }

    private static void refuse(Call call, Status status, Request request, Response response, Callback callback) {
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            byte[] json = StatusCodec.encode(status);
            audited.answered(json.length, out -> out.write(json));
            audited.failing(status);
            audited.complete();
        }
        WarningHeader.values(call.warnings())
                .forEach(value -> response.getHeaders().add(WarningHeader.NAME, value));
        answer(status, request, response, callback);
    }

    private static void answer(Status status, Request request, Response response, Callback callback) {
        if (status.code() == StatusReason.UNAUTHORIZED.code()) {
            // RFC 9110, 15.5.2: a 401 says which kind of credential would do.
            response.getHeaders().put(HttpHeader.WWW_AUTHENTICATE, "Bearer");
        }
        Representation form = Negotiation.failure(Preferences.of(new JettyIncoming(request)));
        StatusAnswers.answer(request, response, callback, status, form.contentType(), form.status(status));
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        threads.shutdownNow();
        asking.close();
    }
}
