package io.plat.cli.policytest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import java.util.Objects;

/**
 * What became of a case.
 *
 * @param of the case
 * @param allowed whether the policy allows it
 * @param reason the decision's
 */
record Result(PolicyCase of, boolean allowed, String reason) {
    Result {
        Objects.requireNonNull(of);
        Objects.requireNonNull(reason);
    }

    static Result of(PolicyCase one, Authorizer policy) {
        return switch (policy.authorize(one.asked())) {
            case Decision.Allow allow -> new Result(one, true, allow.reason());
            case Decision.Deny deny -> new Result(one, false, deny.reason());
            case Decision.NoOpinion silent -> new Result(one, false, silent.reason());
            case Decision.Undecided undecided -> new Result(one, false, undecided.reason());
        };
    }

    boolean passed() {
        return allowed == of.allowed() && reason.contains(of.reason());
    }

    /** What is wrong with it, in one line. */
    String failure() {
        if (allowed != of.allowed()) {
            return "expected " + word(of.allowed()) + ", was " + word(allowed)
                    + (reason.isEmpty() ? "" : ": " + reason);
        }
        return "expected a reason with \"" + of.reason() + "\", was: " + reason;
    }

    static String word(boolean allowed) {
        return allowed ? "allow" : "deny";
    }
}
