package io.plat.engine.union;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.process.LogRateLimit;
import io.plat.process.Tasks;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls of the members of a union. A member that throws, or returns null, has failed: bugs of a plug-in, or its missing classes, must not become a
 * decision. A failure is logged at most once a minute for each member, with its class and location only: a message could contain the request, or a
 * secret. Thread-safe.
 */
final class MemberCalls {
    private static final Logger LOG = LoggerFactory.getLogger(UnionAuthorizer.class);
    private final LongSupplier nanoTime;
    private final Map<String, LogRateLimit> limits = new ConcurrentHashMap<>();

    /**
     * Creates calls with logging of failures.
     *
     * @param nanoTime a monotonic clock, in nanoseconds; limits how often a failing member is logged
     */
    MemberCalls(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    Decision authorize(Member member, Attributes attributes) {
        try {
            @Nullable Decision decision = member.authorizer().authorize(attributes);
            return decision == null ? failed(member, new NullPointerException("no decision")) : decision;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failed(member, e);
        }
    }

    /** Returns a member's decision if it does not block, or null. */
    @Nullable
    Decision decideFromMemory(Member member, Attributes attributes) {
        try {
            return member.authorizer().decideFromMemory(attributes);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failed(member, e);
        }
    }

    ExplainedDecision explain(Member member, Attributes attributes) {
        return call(
                member,
                explainer -> explainer.explain(attributes),
                undecided -> ExplainedDecision.unexplained(undecided, unexplained(member, undecided)));
    }

    SubjectListing subjects(Member member, AccessAttributes access) {
        return call(
                member,
                explainer -> explainer.subjects(access),
                undecided -> SubjectListing.unknown(unexplained(member, undecided)));
    }

    RuleListing rules(Member member, UserInfo user, String namespace) {
        return call(
                member,
                explainer -> explainer.rules(user, namespace),
                undecided -> RuleListing.unknown(unexplained(member, undecided)));
    }

    private <T> T call(Member member, Function<Explainer, T> call, Function<Undecided, T> failure) {
        try {
            return call.apply(Explainer.of(member.name(), member.authorizer()));
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failure.apply(failed(member, e));
        }
    }

    private static UnexplainedAuthorizer unexplained(Member member, Undecided undecided) {
        return new UnexplainedAuthorizer(member.name(), undecided.reason());
    }

    private Undecided failed(Member member, Throwable failure) {
        limits.computeIfAbsent(member.name(), name -> new LogRateLimit(nanoTime))
                .unlessRecent(() -> LOG.error(
                        "an authorizer threw an exception: authorizer={} exception={} at={}",
                        member.name(),
                        failure.getClass().getName(),
                        Tasks.throwLocation(failure)));
        return new Undecided(Cause.FAILED, "threw " + failure.getClass().getSimpleName());
    }
}
