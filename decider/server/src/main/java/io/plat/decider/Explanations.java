package io.plat.decider;

import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.engine.overview.OverviewQuery;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.JsonNegotiation;
import io.plat.fronts.ResponseHeaders;
import io.plat.http.UnreadResponses;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewVersion;
import io.plat.review.RulesReview;
import io.plat.review.UserInfo;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.codec.RulesReviewCodec;
import io.plat.review.codec.SelfReviewCodec;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Handler of explanations, subject listings, rule listings and self reviews. They scan the whole policy, so only a few are processed concurrently,
 * each on its own thread; they are not logged or counted as decisions. Every caller may query its own permissions.
 */
final class Explanations extends Handler.Wrapper {
    /** Answer to a request, from its body. */
    @FunctionalInterface
    private interface Query {
        /**
         * Sends the answer.
         *
         * @throws StatusException if there is none
         */
        void answer(byte[] body, Intake.Exchange http, PolicySet policy) throws StatusException;
    }

    /** Maximum number of concurrent requests; each may use a whole processor. */
    static final int MAX_CONCURRENT = 4;

    private static final int CREATED = 201;
    private static final ReviewCodec REVIEWS = new ReviewCodec();
    private static final RulesReviewCodec RULES = new RulesReviewCodec();
    private static final Map<String, Query> EXPLAINED = new HashMap<>();
    private static final Map<String, Query> OWN = new HashMap<>();

    static {
        EXPLAINED.put(
                "/apis/" + RulesReview.SUBJECT_VERSION.apiVersion() + "/" + RulesReview.SUBJECT_RESOURCE,
                (body, http, policy) -> {
                    RulesReview review = RULES.decodeSubject(body);
                    rules(review, Objects.requireNonNull(review.user()), http, policy);
                });
        OWN.put(SelfReviewCodec.PATH, (body, http, policy) -> self(body, http));
        for (ReviewVersion version : ReviewVersion.values()) {
            String group = "/apis/" + version.apiVersion() + "/";
            for (ReviewKind kind : List.of(ReviewKind.ACCESS_EXPLANATION, ReviewKind.SUBJECT_LISTING)) {
                Expectation expected = Expectation.at(version, kind);
                EXPLAINED.put(group + kind.resource(), (body, http, policy) -> explain(body, expected, http, policy));
            }
            for (OverviewQuery query : OverviewQuery.values()) {
                EXPLAINED.put(
                        group + query.resource(),
                        (body, http, policy) -> http.answer(CREATED, query.answer(body, version, policy.authorizer())));
            }
            OWN.put(
                    group + RulesReview.RESOURCE,
                    (body, http, policy) -> rules(RULES.decode(body, version), caller(http), http, policy));
        }
    }

    private final Decisions decisions;
    private final Intake explaining;
    private final Intake own;

    /** @param deciding admission of reviews, with another limit */
    Explanations(Decisions decisions, Intake deciding) {
        this.decisions = decisions;
        this.explaining = deciding.withLimit(MAX_CONCURRENT);
        this.own = deciding.withLimit(MAX_CONCURRENT);
    }

    private static void explain(byte[] request, Expectation expected, Intake.Exchange http, PolicySet policy)
            throws StatusException {
        switch (ExplainedReview.of(REVIEWS.decode(request, expected), explainer(policy))) {
            case ExplainedReview.Answered(var body) -> stream(body, http);
            case ExplainedReview.Undecided(var undecided) ->
                throw new StatusException(DecisionResponse.failure(undecided, true));
        }
    }

    private static UserInfo caller(Intake.Exchange http) throws StatusException {
        UserInfo user = ClientIdentity.of(http.request()).user();
        if (user.name().isEmpty()) {
            throw new StatusException(ReviewExchange.NAMELESS);
        }
        return user;
    }

    /** Answers with the user of the client's certificate. */
    private static void self(byte[] body, Intake.Exchange http) throws StatusException {
        SelfReviewCodec.check(body);
        http.answer(CREATED, SelfReviewCodec.encode(caller(http)));
    }

    private static void rules(RulesReview review, UserInfo user, Intake.Exchange http, PolicySet policy) {
        http.answer(CREATED, RULES.encode(review, explainer(policy).rules(user, review.namespace())));
    }

    private static Explainer explainer(PolicySet policy) {
        return Explainer.of("the policy", policy.authorizer());
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = String.valueOf(request.getHttpURI().getPath());
        Query explains = EXPLAINED.get(path);
        Query query = explains == null ? OWN.get(path) : explains;
        if (query == null) {
            return super.handle(request, response, callback);
        }
        @Nullable
        Status refusal = explains == null ? null : decisions.reasonPolicy().refusal(request);
        (explains == null ? own : explaining)
                .take(
                        request,
                        response,
                        callback,
                        refusal == null ? JsonNegotiation.refusal(request) : refusal,
                        exchange -> (bytes, count) -> answer(query, Arrays.copyOf(bytes, count), exchange));
        return true;
    }

    private void answer(Query query, byte[] request, Intake.Exchange http) {
        http.compute("explanation", () -> {
            PolicySet current = decisions.policy();
            http.response().getHeaders().put(ResponseHeaders.POLICY_REVISION, current.revision());
            query.answer(request, http, current);
        });
    }

    /** Sends an answer that may be too long for memory. */
    private static void stream(ExplainedReview.Body body, Intake.Exchange http) {
        http.response().setStatus(CREATED);
        http.response().getHeaders().put(ResponseHeaders.JSON).put(ResponseHeaders.NO_STORE);
        try (OutputStream out = new ReplyStream(http, Content.Sink.asOutputStream(http.response()))) {
            body.writeTo(out);
        } catch (IOException gone) {
            http.callback().failed(gone);
            return;
        }
        http.callback().succeeded();
    }

    /** Response stream that marks its permit while it waits for the client to read. */
    private static final class ReplyStream extends FilterOutputStream {
        private final Intake.Exchange http;

        ReplyStream(Intake.Exchange http, OutputStream out) {
            super(out);
            this.http = http;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            http.permit().awaitClient(() -> UnreadResponses.end(http.request()));
            try {
                out.write(bytes, from, length);
            } finally {
                http.permit().clientHasRead();
            }
        }
    }
}
