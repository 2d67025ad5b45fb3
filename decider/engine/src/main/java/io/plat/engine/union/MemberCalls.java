package io.plat.engine.union;

import io.plat.engine.Decision;
import io.plat.engine.Decision.Cause;
import io.plat.engine.Decision.Undecided;
import io.plat.engine.explain.Explained;
import io.plat.engine.explain.Explainer;
import io.plat.engine.explain.Rules;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.Findings;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Unexplained;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks one member of a union. A member that throws, or answers nothing, has failed: a plug-in is somebody else's code, and its bugs,
 * and classes that it lacks, must not become an answer. For any number of threads.
 */
final class Asker {
    private final FailureLog failures;

    /**
     * Asks, and logs what fails.
     *
     * @param nanoTime nanoseconds that only grow; limits how often a failing member is logged
     */
    Asker(LongSupplier nanoTime) {
        this.failures = new FailureLog(nanoTime);
    }

    Decision ask(Member member, Attributes attributes) {
        try {
            @Nullable Decision decision = member.authorizer().authorize(attributes);
            return decision == null ? failed(member, new NullPointerException("no decision")) : decision;
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failed(member, e);
        }
    }

    /** What a member decides without waiting, or null. */
    @Nullable
    Decision askMemory(Member member, Attributes attributes) {
        try {
            return member.authorizer().decideFromMemory(attributes);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return failed(member, e);
        }
    }

    Explained explain(Member member, Attributes attributes) {
        try {
            return explainer(member).explain(attributes);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            Undecided undecided = failed(member, e);
            Unexplained unexplained = new Unexplained(member.name(), undecided.reason());
            return new Explained(undecided, new Findings(Bounded.none(), Bounded.none(), null, List.of(unexplained)));
        }
    }

    SubjectListing subjects(Member member, AccessAttributes access) {
        try {
            return explainer(member).subjects(access);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            String why = failed(member, e).reason();
            return new SubjectListing(Bounded.none(), List.of(new Unexplained(member.name(), why)));
        }
    }

    RuleListing rules(Member member, UserInfo user, String namespace) {
        try {
            return explainer(member).rules(user, namespace);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            return Rules.unknown(member.name(), failed(member, e).reason());
        }
    }

    private static Explainer explainer(Member member) {
        return Explainer.of(member.name(), member.authorizer());
    }

    private Undecided failed(Member member, Throwable failure) {
        failures.log(member.name(), failure);
        return new Undecided(Cause.FAILED, "threw " + failure.getClass().getSimpleName());
    }
}
