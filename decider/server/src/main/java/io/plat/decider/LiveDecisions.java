package io.plat.decider;

import io.plat.engine.decided.DecisionLine;
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

/**
 * Handler of {@code GET /decisions}: server-sent events, each with the line of the decision log, with the same fields masked. Without subscribers it
 * costs decisions nothing. Thread-safe; never blocks.
 */
final class LiveDecisions extends Handler.Wrapper implements AutoCloseable {
    private static final String PATH = "/decisions";

    private final Function<Request, @Nullable Status> admission;
    private final LiveLines<DecisionRecord> lines;

    /**
     * Creates a stream without subscribers.
     *
     * @param text formats decisions
     * @param admission returns the reason for rejecting a client, or null
     */
    public LiveDecisions(DecisionLine text, Function<Request, @Nullable Status> admission) {
        this.lines = new LiveLines<>(
                (decided, lines) -> text.write(decided.withoutShadow(), lines), DecisionRecord::reviewBytes);
        this.admission = admission;
    }

    /** Returns whether there are subscribers; if not, decisions need not be passed on. */
    public boolean hasSubscribers() {
        return lines.hasSubscribers();
    }

    /** Publishes a decision. Returns at once. */
    public void publish(DecisionRecord decided) {
        lines.publish(decided);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!PATH.equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        @Nullable Status refusal = admission.apply(request);
        if (refusal == null) {
            lines.serve(request, response, callback);
        } else {
            StatusResponses.answer(request, response, callback, refusal);
        }
        return true;
    }

    /** Ends all streams, gracefully if their clients read in time. Later subscribers are answered 503. Returns at once. */
    public void endAll() {
        lines.endAll();
    }

    @Override
    public void close() {
        lines.close();
    }
}
