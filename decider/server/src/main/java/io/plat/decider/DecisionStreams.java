package io.plat.decider;

import io.plat.engine.decided.DecisionRecord;
import io.plat.http.StatusResponses;
import io.plat.http.stream.LiveLines;
import io.plat.review.status.Status;
import java.util.function.Function;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Handler of {@code GET /decisions}: server-sent events, each with the line of the decision log, with the same fields masked. Never blocks. */
final class DecisionStreams extends Handler.Wrapper {
    private static final String PATH = "/decisions";

    private final LiveLines<DecisionRecord> lines;
    private final Function<Request, @Nullable Status> admission;

    /**
     * Creates a handler.
     *
     * @param admission returns the reason for rejecting a client, or null
     */
    DecisionStreams(LiveLines<DecisionRecord> lines, Function<Request, @Nullable Status> admission) {
        this.lines = lines;
        this.admission = admission;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        @Nullable Status refusal = admission.apply(request);
        if (refusal == null) {
            lines.streams().serve(request, response, callback);
        } else {
            StatusResponses.answer(request, response, callback, refusal);
        }
        return true;
    }
}
