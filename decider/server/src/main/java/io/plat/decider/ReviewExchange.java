package io.plat.decider;

import io.plat.decider.Reviews.ReviewRoutes.Route;
import io.plat.decider.live.LiveDecisions;
import io.plat.decider.log.DecisionLog;
import io.plat.decider.shadow.Shadow;
import io.plat.engine.Decision;
import io.plat.engine.decided.DecisionRecord;
import io.plat.engine.decided.ShadowSlot;
import io.plat.engine.policy.PolicySet;
import io.plat.http.StatusResponses;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.jspecify.annotations.Nullable;

/** One review: from its body to its answer. */
final class ReviewExchange implements Intake.Answerer {
    private static final ReviewCodec CODEC = new ReviewCodec();
    static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, StatusResponses.JSON);
    static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache, private");
    static final Status NAMELESS =
            Status.of(StatusReason.UNAUTHORIZED, "the client certificate has no common name to answer for");
    private static final Status UNACCOUNTED =
            Status.of(StatusReason.INTERNAL_ERROR, "the decision could not be written to the decision log");

    /** The largest body, in bytes, that is read on a thread that others wait for. */
    private static final int AT_ONCE = 64 << 10;

    private final Reviews.Deciding deciding;
    private final Route route;
    private final Intake.Exchange http;
    private int length;

    ReviewExchange(Reviews.Deciding deciding, Route route, Intake.Exchange http) {
        this.deciding = deciding;
        this.route = route;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        length = count;
        if (count > AT_ONCE) {
            onItsOwnThread(() -> read(bytes, count));
        } else {
            read(bytes, count);
        }
    }

    private void read(byte[] bytes, int count) {
        try {
            AccessReview review = CODEC.decode(bytes, 0, count, route.expected());
            Attributes asked =
                    review.attributes(ClientIdentity.of(http.request()).user());
            if (!review.kind().namesSubject() && asked.user().name().isEmpty()) {
                http.refuse(NAMELESS);
                return;
            }
            decide(review, asked);
        } catch (StatusException refused) {
            http.refuse(refused.status());
        }
    }

    private void decide(AccessReview review, Attributes asked) {
        PolicySet policy = deciding.policy().get();
        @Nullable DecisionLog log = deciding.log();
        if (log == null || !log.waits()) {
            long began = System.nanoTime();
            Decision known = policy.authorizer().decideFromMemory(asked);
            if (known != null) {
                account(review, asked, known, policy, began);
                return;
            }
        }
        onItsOwnThread(() -> {
            long began = System.nanoTime();
            account(review, asked, policy.authorizer().authorize(asked), policy, began);
        });
    }

    private void onItsOwnThread(Runnable step) {
        deciding.waiting().execute(() -> {
            try {
                step.run();
            } catch (RuntimeException bug) {
                http.fail(bug);
            }
        });
    }

    /** @param began when it began to be decided, by {@link System#nanoTime} */
    private void account(AccessReview review, Attributes asked, Decision decision, PolicySet policy, long began) {
        @Nullable DecisionLog log = deciding.log();
        @Nullable Shadow shadow = deciding.shadow();
        LiveDecisions live = deciding.live();
        if (log == null && shadow == null && !live.isWatched()) {
            answer(review, policy, decision);
            return;
        }
        DecisionRecord decided = decided(asked, decision, policy, System.nanoTime() - began);
        if (shadow != null) {
            shadow.consider(decided);
        }
        live.made(decided);
        if (log == null || log.record(decided)) {
            answer(review, policy, decision);
        } else {
            http.refuse(UNACCOUNTED);
        }
    }

    private DecisionRecord decided(Attributes asked, Decision decision, PolicySet policy, long nanos) {
        return new DecisionRecord(
                Objects.requireNonNullElse(
                        http.response().getHeaders().get(DeciderServer.ResponseHeaders.DECISION_ID), ""),
                Instant.now(),
                ClientIdentity.of(http.request()).name(),
                asked,
                decision,
                policy.revision(),
                nanos,
                length,
                deciding.shadow() == null ? ShadowSlot.NONE : new ShadowSlot());
    }

    private void answer(AccessReview review, PolicySet policy, Decision decision) {
        deciding.metrics().count(decision);
        HttpFields.Mutable headers = http.response().getHeaders();
        headers.put(DeciderServer.ResponseHeaders.POLICY_REVISION, policy.revision());
        switch (DecisionResponse.of(decision, deciding.reasonPolicy().includesReasons(http.request()))) {
            case DecisionResponse.Failed failed -> http.refuse(failed.status());
            case DecisionResponse.Answered answered -> {
                byte[] body = CODEC.encodeAnswer(review, answered.status());
                // A client that does not read its response does not hold its place in flight.
                http.place().leave();
                http.response().setStatus(route.code());
                headers.put(JSON);
                headers.put(NO_STORE);
                headers.put(HttpHeader.CONTENT_LENGTH, body.length);
                http.response().write(true, ByteBuffer.wrap(body), http.callback());
            }
        }
    }

    /** The HTTP response for a decision, as the contract defines it. */
    sealed interface DecisionResponse {
        record Answered(ReviewStatus status) implements DecisionResponse {}

        /** There is no answer, and never an allow. */
        record Failed(Status status) implements DecisionResponse {}

        /**
         * The verdict on a decision.
         *
         * @param reasons whether the client may know why
         */
        static DecisionResponse of(Decision decision, boolean reasons) {
            return switch (decision) {
                case Decision.Allow allow -> new Answered(ReviewStatus.of(true, reasons ? allow.reason() : ""));
                case Decision.Deny deny -> new Answered(ReviewStatus.of(false, reasons ? deny.reason() : ""));
                case Decision.NoOpinion silent -> new Answered(ReviewStatus.of(false, reasons ? silent.reason() : ""));
                case Decision.Undecided undecided -> new Failed(failure(undecided, reasons));
            };
        }

        /**
         * Returns the failure for a decision that could not be made.
         *
         * @param reasons whether the client receives the reason
         */
        static Status failure(Decision.Undecided undecided, boolean reasons) {
            String why = reasons && !undecided.reason().isEmpty() ? ": " + undecided.reason() : "";
            return switch (undecided.cause()) {
                case FAILED -> Status.of(StatusReason.INTERNAL_ERROR, "the request could not be decided" + why);
                case NOT_LOADED ->
                    Status.of(StatusReason.SERVICE_UNAVAILABLE, "the policy has not been loaded yet" + why)
                            .withDetails(new Status.Details("", "", "", "", List.of(), 1));
            };
        }
    }
}
