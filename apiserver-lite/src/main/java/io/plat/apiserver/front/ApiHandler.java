package io.plat.apiserver.front;

import io.plat.apiserver.audit.AuditId;
import io.plat.apiserver.endpoint.ApiResponse;
import io.plat.apiserver.endpoint.Dispatcher;
import io.plat.apiserver.endpoint.EndpointResult;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.filter.FilterChain;
import io.plat.apiserver.filter.IncomingRequest;
import io.plat.apiserver.lease.StreamLeases;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.metrics.RequestMeters;
import io.plat.apiserver.watch.Watches;
import io.plat.http.ReadingThread;
import io.plat.http.RequestClient;
import io.plat.http.WaitingThreads;
import io.plat.http.stream.EventStreams;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Entry point of all requests: runs the filters, then the endpoint or a stream.
 *
 * <p>Requests that are decided and answered from memory are served on the thread that read them. All others have a thread of their own: a
 * platform thread, since clients choose how long a request computes, and virtual threads are not time-sliced.
 */
public final class ApiHandler extends Handler.Wrapper {
    private static final Set<String> READING = Set.of("get", "list");

    /** Maximum number of platform threads, beyond which requests have virtual ones. By default, fewer requests are in flight. */
    private static final int MAX_THREADS = 1024;

    private static final Status STOPPING = Status.of(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");

    private final FilterChain filters;
    private final Dispatcher dispatch;
    private final Streams streams;
    private final RequestMeters meters;
    private final AuditId ids = new AuditId();
    private final WaitingThreads threads = new WaitingThreads("request", MAX_THREADS);

    public record Streams(Watches watches, EventStreams live, StreamLeases leases) {
        /** Ends all current and future streams, for shutdown: clients reconnect elsewhere. */
        public void endAll() {
            watches.close();
            live.endAll();
            leases.endAll();
        }
    }

    public ApiHandler(FilterChain filters, Dispatcher dispatch, Streams streams, RequestMeters meters) {
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
        IncomingRequest incoming = new JettyRequest(request);
        Call call = new Call(incoming, ids.of(incoming.header(AuditId.HEADER)), streams.leases()::renew);
        response.getHeaders().put(AuditId.HEADER, call.id());
        ApiExchange exchange = new ApiExchange(call, request, response, completes, meters);
        try {
            boolean blocks = !filters.admitWithoutBlocking(call);
            boolean brief = dispatch.answersFromMemory(call);
            ReadingThread.expectWait(request, blocks && brief);
            if (brief && !blocks) {
                exchange.guard(() -> answerFromMemory(exchange));
            } else {
                // Long-running work must not occupy a thread that reads requests.
                threads.execute(() -> serve(exchange), brief && ReadingThread.mayWait(request));
            }
        } catch (StatusException refused) {
            exchange.refuse(refused.status());
        } catch (RejectedExecutionException stopped) {
            exchange.refuse(STOPPING);
        }
        return true;
    }

    private void answerFromMemory(ApiExchange exchange) throws StatusException {
        EndpointResult served = RequestMemory.tryOnSharedThread(() -> dispatch.serve(exchange.call()));
        if (served == null) {
            onThread(exchange, () -> serveWithin(exchange));
            return;
        }
        if (!(served instanceof ApiResponse answer)) {
            throw new IllegalStateException("a stream is not answered from memory");
        }
        if (ResponseWriter.waits(answer)) {
            onThread(exchange, () -> send(exchange, answer));
        } else {
            send(exchange, answer);
        }
    }

    private void send(ApiExchange exchange, ApiResponse answer) {
        exchange.record(answer);
        exchange.write(answer, streams.leases());
    }

    private void onThread(ApiExchange exchange, ApiExchange.Handler serving) {
        RequestClient.is(exchange.request(), exchange.call().client());
        try {
            threads.execute(() -> serve(exchange, serving));
        } catch (RejectedExecutionException stopped) {
            exchange.refuse(STOPPING);
        }
    }

    private void serve(ApiExchange exchange) {
        serve(exchange, () -> serveWithin(exchange));
    }

    private static void serve(ApiExchange exchange, ApiExchange.Handler serving) {
        RequestMemory.serving(() -> RequestClient.of(exchange.request()), () -> exchange.guard(serving));
    }

    private void serveWithin(ApiExchange exchange) throws StatusException {
        Call call = exchange.call();
        filters.admitRemaining(call);
        call.renew();
        RequestClient.is(exchange.request(), call.client());
        switch (dispatch.serve(call)) {
            case ApiResponse answer
            when answer.body().live() ->
                // It waits for most of its time, which may be long.
                Tasks.virtual("stream", () -> serve(exchange, () -> send(exchange, answer)));
            case ApiResponse answer -> {
                if (READING.contains(call.info().access().verb())) {
                    // What was read may be newer than the authorization, for which the storage may have let it wait.
                    call.renew();
                }
                send(exchange, answer);
            }
            case EndpointResult.OpenWatch watching -> exchange.watch(watching.watch(), streams);
            case EndpointResult.Decisions _ -> exchange.showDecisions(streams);
        }
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        threads.close();
    }
}
