package io.plat.decider;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.engine.policy.PolicySet;
import io.plat.process.Tasks;
import io.plat.review.AccessReview;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;

/** One question about the policy: from its body to its answer. */
final class ExplanationExchange implements Intake.Answerer {
    private static final ReviewCodec QUESTIONS = new ReviewCodec();
    private static final int CREATED = 201;

    private final Supplier<PolicySet> policy;
    private final Expectation expected;
    private final Exchange http;

    ExplanationExchange(Supplier<PolicySet> policy, Expectation expected, Exchange http) {
        this.policy = policy;
        this.expected = expected;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        try {
            AccessReview asked = QUESTIONS.decode(bytes, 0, count, expected);
            // A platform thread: one that computes would keep the carriers from decisions that wait on virtual threads.
            Tasks.platform("explanation", () -> answer(asked));
        } catch (StatusException refused) {
            http.refuse(refused.status());
        }
    }

    private void answer(AccessReview asked) {
        try {
            PolicySet current = policy.get();
            http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, current.revision());
            switch (ExplainedReview.of(asked, Explainer.of("the policy", current.authorizer()))) {
                case ExplainedReview.Answered(ExplainedReview.Body body) -> write(body);
                case ExplainedReview.Undecided(Decision.Undecided undecided) ->
                    http.refuse(Verdict.failure(undecided, true));
            }
        } catch (RuntimeException bug) {
            http.fail(bug);
        }
    }

    /** Written as it is made: a listing may be longer than what a server would like to hold. */
    private void write(ExplainedReview.Body answer) {
        http.response().setStatus(CREATED);
        http.response().getHeaders().put(ReviewExchange.JSON);
        http.response().getHeaders().put(ReviewExchange.NO_STORE);
        try (OutputStream out = Content.Sink.asOutputStream(http.response())) {
            answer.writeTo(out);
        } catch (IOException gone) {
            http.callback().failed(gone);
            return;
        }
        http.callback().succeeded();
    }
}
