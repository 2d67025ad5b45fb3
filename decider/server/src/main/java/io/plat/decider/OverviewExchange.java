package io.plat.decider;

import io.plat.engine.overview.OverviewQuestion;
import io.plat.engine.policy.PolicySet;
import io.plat.process.Tasks;
import io.plat.review.ReviewVersion;
import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;

/** One question about the policy as a whole: from its body to its answer. */
final class OverviewExchange implements Intake.Answerer {
    private final Supplier<PolicySet> policy;
    private final Route route;
    private final Exchange http;

    /**
     * What a path asks.
     *
     * @param version in which it is answered
     */
    record Route(OverviewQuestion question, ReviewVersion version) {}

    OverviewExchange(Supplier<PolicySet> policy, Route route, Exchange http) {
        this.policy = policy;
        this.route = route;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        byte[] body = Arrays.copyOf(bytes, count);
        // A platform thread: one that computes would keep the carriers from decisions that wait on virtual threads.
        Tasks.platform("overview", () -> answer(body));
    }

    private void answer(byte[] asked) {
        try {
            PolicySet current = policy.get();
            byte[] body = route.question().answer(asked, route.version(), current.authorizer());
            http.place().leave();
            http.response().setStatus(201);
            HttpFields.Mutable headers = http.response().getHeaders();
            headers.put(AnswerHeaders.POLICY_REVISION, current.revision());
            headers.put(ReviewExchange.JSON);
            headers.put(ReviewExchange.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, body.length);
            http.response().write(true, ByteBuffer.wrap(body), http.callback());
        } catch (StatusException refused) {
            http.refuse(refused.status());
        } catch (RuntimeException bug) {
            http.fail(bug);
        }
    }
}
