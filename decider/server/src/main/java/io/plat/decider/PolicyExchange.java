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

/** A request that scans the policy: from its body to its response, on a thread of its own. */
final class PolicyExchange implements Intake.Answerer {
    private static final int CREATED = 201;

    private final Supplier<PolicySet> policy;
    private final Question question;
    private final Intake.Exchange http;

    PolicyExchange(Supplier<PolicySet> policy, Question question, Intake.Exchange http) {
        this.policy = policy;
        this.question = question;
        this.http = http;
    }

    /** Computes the response to a body. */
    @FunctionalInterface
    interface Question {
        /**
         * The answer.
         *
         * @throws StatusException if there is none
         */
        Reply answer(byte[] asked, Intake.Exchange http, PolicySet policy) throws StatusException;
    }

    /** An answer as JSON. */
    sealed interface Reply {
        /** One that is there as a whole. */
        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Whole(byte[] body) implements Reply {}

        /** A response that is written as it is produced: it may be too long for memory. */
        record Written(ExplainedReview.Body body) implements Reply {}
    }

    @Override
    public void received(byte[] bytes, int count) {
        byte[] asked = Arrays.copyOf(bytes, count);
        // A platform thread: computing on a carrier would delay decisions that wait on virtual threads.
        Tasks.platform("explanation", () -> answer(asked));
    }

    private void answer(byte[] asked) {
        try {
            PolicySet current = policy.get();
            http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, current.revision());
            switch (question.answer(asked, http, current)) {
                case Reply.Whole(byte[] body) -> http.answer(CREATED, body);
                case Reply.Written(ExplainedReview.Body body) -> write(body);
            }
        } catch (StatusException refused) {
            http.refuse(refused.status());
        } catch (RuntimeException bug) {
            http.fail(bug);
        }
    }

    private void write(ExplainedReview.Body body) {
        http.response().setStatus(CREATED);
        http.response().getHeaders().put(AnswerHeaders.JSON).put(AnswerHeaders.NO_STORE);
        try (OutputStream out = new Awaited(Content.Sink.asOutputStream(http.response()))) {
            body.writeTo(out);
        } catch (IOException gone) {
            http.callback().failed(gone);
            return;
        }
        http.callback().succeeded();
    }

    /** An answer whose client keeps nobody else out by not reading it. */
    private final class Awaited extends FilterOutputStream {
        Awaited(OutputStream out) {
            super(out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            http.place().answerIsAwaited(() -> UnreadAnswers.end(http.request()));
            try {
                out.write(bytes, from, length);
            } finally {
                http.place().answerIsRead();
            }
        }
    }
}
