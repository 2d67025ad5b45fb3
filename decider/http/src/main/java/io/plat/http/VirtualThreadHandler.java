package io.plat.http;

import io.plat.process.Tasks;
import java.util.concurrent.ExecutorService;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The boundary between non-blocking handlers and blocking ones: everything behind it runs on a virtual thread of its own. It declares itself
 * non-blocking, so that the handlers in front of it stay on the thread that read the request.
 */
final class VirtualThreadHandler extends Handler.Wrapper {
    private final ExecutorService threads = Tasks.virtualThreads("request");

    @Override
    public InvocationType getInvocationType() {
        return InvocationType.NON_BLOCKING;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        threads.execute(() -> handleHere(request, response, callback));
        return true;
    }

    private void handleHere(Request request, Response response, Callback callback) {
        try {
            if (!super.handle(request, response, callback)) {
                Response.writeError(request, response, callback, 404);
            }
            // Not only the expected ones: this thread has no caller that could answer in its place.
        } catch (Throwable failure) {
            Response.writeError(request, response, callback, failure);
        }
    }

    @Override
    protected void doStop() throws Exception {
        super.doStop();
        threads.shutdownNow();
    }
}
