package io.plat.apiserver.front;

import io.plat.apiserver.filter.Call;
import io.plat.apiserver.metrics.RequestMeters;
import io.plat.apiserver.request.RequestInfo;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/** Counts a request once it is over, whatever became of it; completes its callback behind that. */
final class CountedCallback implements Callback {
    private final RequestMeters meters;
    private final Call call;
    private final Request request;
    private final Response response;
    private final Callback callback;

    CountedCallback(RequestMeters meters, Call call, Request request, Response response, Callback callback) {
        this.meters = meters;
        this.call = call;
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    private void over() {
        call.over();
        @Nullable RequestInfo info = call.understood();
        boolean patches = "PATCH".equals(request.getMethod());
        meters.answered(
                info,
                patches ? call.incoming().header("Content-Type") : "",
                response.getStatus(),
                NanoTime.since(request.getHeadersNanoTime()),
                Response.getContentBytesWritten(response));
    }

    @Override
    public void succeeded() {
        over();
        callback.succeeded();
    }

    @Override
    public void failed(Throwable cause) {
        over();
        callback.failed(cause);
    }

    @Override
    public InvocationType getInvocationType() {
        return callback.getInvocationType();
    }
}
