package io.plat.engine;

import io.plat.review.explain.BoundedList;
import io.plat.review.explain.NamedGrant;
import java.util.List;

/**
 * Outcome of authorizing a request. Only an {@link Allow} permits the request; it requires a {@link Grant}, so that a missing decision is never an
 * allow.
 */
public sealed interface Decision {
    /** Allowed. */
    record Allow(Grant grant) implements Decision {
        @Override
        public String reason() {
            return grant.reason();
        }
    }

    /**
     * Refused. In a union of modes another member may still allow.
     *
     * @param reason the reason, or {@code ""}
     */
    record Deny(String reason) implements Decision {}

    /**
     * The policy of this authorizer does not cover the request.
     *
     * @param reason the reason, or {@code ""}
     */
    record NoOpinion(String reason) implements Decision {
        /** No opinion without a reason. */
        public static final NoOpinion SILENT = new NoOpinion("");
    }

    /**
     * The authorizer could not decide. Never cached, never an allow.
     *
     * @param cause why it could not decide
     * @param reason one line for the operator, without secrets
     */
    record Undecided(Cause cause, String reason) implements Decision {}

    /** Cause of a decision that could not be made. */
    enum Cause {
        /** It failed, for instance because a remote decider is unreachable, slow or responds incorrectly, or a plug-in threw. */
        FAILED,
        /** Its policy has not been loaded completely yet. */
        NOT_LOADED
    }

    /** Returns the reason in one line; {@code ""} if there is none. Computed on demand, so that a server that hides reasons does not compute it. */
    String reason();

    /** Returns the grant of an allow, for explanations; none for any other decision. */
    default BoundedList<NamedGrant> grants() {
        return this instanceof Allow(Grant grant) ? new BoundedList<>(List.of(grant.named()), 0) : BoundedList.none();
    }
}
