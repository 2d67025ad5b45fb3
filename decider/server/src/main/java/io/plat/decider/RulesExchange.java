package io.plat.decider;

import io.plat.engine.explain.Explainer;
import io.plat.engine.policy.PolicySet;
import io.plat.process.Tasks;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** One question what the client's own user may do: from its body to its answer. */
final class RulesExchange implements Intake.Answerer {
    private static final RulesReviewCodec CODEC = new RulesReviewCodec();

    private final Supplier<PolicySet> policy;
    private final ReviewVersion version;
    private final Exchange http;

    RulesExchange(Supplier<PolicySet> policy, ReviewVersion version, Exchange http) {
        this.policy = policy;
        this.version = version;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        try {
            RulesReview asked = CODEC.decode(Arrays.copyOf(bytes, count), version);
            UserInfo user = ClientIdentity.of(http.request()).user();
            if (user.name().isEmpty()) {
                http.refuse(ReviewExchange.NAMELESS);
                return;
            }
            // A platform thread: one that computes would keep the carriers from decisions that wait on virtual threads.
            Tasks.platform("rules", () -> answer(asked, user));
        } catch (StatusException refused) {
            http.refuse(refused.status());
        }
    }

    private void answer(RulesReview asked, UserInfo user) {
        try {
            PolicySet current = policy.get();
            byte[] body = CODEC.encode(
                    asked, Explainer.of("the policy", current.authorizer()).rules(user, asked.namespace()));
            http.place().leave();
            http.response().setStatus(201);
            HttpFields.Mutable headers = http.response().getHeaders();
            headers.put(AnswerHeaders.POLICY_REVISION, current.revision());
            headers.put(ReviewExchange.JSON);
            headers.put(ReviewExchange.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, body.length);
            http.response().write(true, ByteBuffer.wrap(body), http.callback());
        } catch (RuntimeException bug) {
            http.fail(bug);
        }
    }
}
