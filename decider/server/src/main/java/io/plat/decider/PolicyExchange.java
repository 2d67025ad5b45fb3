package io.plat.decider;

import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.Intake;
import io.plat.http.UnreadAnswers;
import io.plat.process.Tasks;
import io.plat.review.status.StatusException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;

/** Processing of a request that scans the policy, from body to response, on its own thread. */
record PolicyExchange(Supplier<PolicySet> policy, Query query, Intake.Exchange http) implements Intake.BodyHandler {
    private static final int CREATED = 201;

    /** Computes the response to a body. */
    @FunctionalInterface
    interface Query {
        /**
         * Returns the response.
         *
         * @throws StatusException if there is none
         */
        Reply answer(byte[] body, Intake.Exchange http, PolicySet policy) throws StatusException;
    }

    /** A response as JSON. */
    sealed interface Reply {
        /** A complete response. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Complete(byte[] body) implements Reply {}

        /** A streamed response, which may be too long for memory. */
        record Streamed(ExplainedReview.Body body) implements Reply {}
    }

    @Override
    public void received(byte[] bytes, int count) {
        byte[] request = Arrays.copyOf(bytes, count);
        // A platform thread, as long computations on a carrier thread would delay other virtual threads.
        Tasks.platform("explanation", () -> answer(request));
    }

    private void answer(byte[] request) {
        try {
            PolicySet current = policy.get();
            http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, current.revision());
            switch (query.answer(request, http, current)) {
                case Reply.Complete(byte[] body) -> http.answer(CREATED, body);
                case Reply.Streamed(ExplainedReview.Body body) -> write(body);
            }
        } catch (StatusException e) {
            http.refuse(e.status());
        } catch (RuntimeException bug) {
            http.fail(bug);
        }
    }

    private void write(ExplainedReview.Body body) {
        http.response().setStatus(CREATED);
        http.response().getHeaders().put(AnswerHeaders.JSON).put(AnswerHeaders.NO_STORE);
        try (OutputStream out = new ReplyStream(Content.Sink.asOutputStream(http.response()))) {
            body.writeTo(out);
        } catch (IOException gone) {
            http.callback().failed(gone);
            return;
        }
        http.callback().succeeded();
    }

    /** Response stream that marks its permit while it waits for the client to read. */
    private final class ReplyStream extends FilterOutputStream {
        ReplyStream(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            http.permit().awaitClient(() -> UnreadAnswers.end(http.request()));
            try {
                out.write(bytes, from, length);
            } finally {
                http.permit().clientHasRead();
            }
        }
    }
}
