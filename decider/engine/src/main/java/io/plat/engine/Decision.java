package io.plat.engine;

import java.util.Objects;

/**
 * The outcome of one question. Only an {@link Allow} lets a request pass; it can't be made without a {@link Grant}, so that
 * forgetting to decide is never an allow.
 */
public sealed interface Decision {
    /**
     * Allowed.
     *
     * @param grant the grant
     */
    record Allow(Grant grant) implements Decision {
        public Allow {
            Objects.requireNonNull(grant);
        }

        @Override
        public String reason() {
            return grant.reason();
        }
    }

    /**
     * Refused. In a union of modes another member may still allow.
     *
     * @param reason why, or {@code ""}
     */
    record Deny(String reason) implements Decision {
        public Deny {
            Objects.requireNonNull(reason);
        }
    }

    /**
     * Nothing in this authorizer's policy speaks to the question.
     *
     * @param reason why, or {@code ""}
     */
    record NoOpinion(String reason) implements Decision {
        /** No opinion without a reason. */
        public static final NoOpinion SILENT = new NoOpinion("");

        public NoOpinion {
            Objects.requireNonNull(reason);
        }
    }

    /**
     * The authorizer could not decide. Never cached, never an allow.
     *
     * @param cause why it could not decide
     * @param reason one line for the operator, without secrets
     */
    record Undecided(Cause cause, String reason) implements Decision {
        public Undecided {
            Objects.requireNonNull(cause);
            Objects.requireNonNull(reason);
        }
    }

    /** Cause of a decision that could not be made. */
    enum Cause {
        /** It failed: a remote decider that can't be reached, is slow or answers nonsense; a plug-in that throws. */
        FAILED,
        /** Its policy has not been loaded completely yet. */
        NOT_LOADED
    }

    /** Returns the reason in one line; {@code ""} if there is none. Computed on demand: a server that hides reasons never pays for it. */
    String reason();
}
