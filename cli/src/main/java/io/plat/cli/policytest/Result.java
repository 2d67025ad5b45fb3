package io.plat.cli.policytest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;

/**
 * What became of a case.
 *
 * @param of the case
 * @param allowed whether the policy allows it
 * @param reason the decision's
 */
record Result(TestFile.Case of, boolean allowed, String reason) {
    static Result of(TestFile.Case one, Authorizer policy) {
        Decision decision = policy.authorize(one.asked());
        return new Result(one, decision instanceof Decision.Allow, decision.reason());
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
