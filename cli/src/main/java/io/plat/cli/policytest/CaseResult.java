package io.plat.cli.policytest;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import java.util.List;

/**
 * Result of a case.
 *
 * @param allowed whether the policy allows it
 * @param unknown probably misspelled names in it, one message each: it fails then, regardless of the decision
 */
record CaseResult(TestFileReader.TestFile.Case testCase, boolean allowed, String reason, List<String> unknown) {
    CaseResult {
        unknown = List.copyOf(unknown);
    }

    static CaseResult of(TestFileReader.TestFile.Case one, Authorizer policy, List<String> unknown) {
        Decision decision = policy.authorize(one.request());
        return new CaseResult(one, decision instanceof Decision.Allow, decision.reason(), unknown);
    }

    boolean passed() {
        return unknown.isEmpty() && allowed == testCase.allowed() && reason.contains(testCase.reason());
    }

    /** Returns the problem, in one line. */
    String failure() {
        if (!unknown.isEmpty()) {
            return String.join("; ", unknown);
        }
        if (allowed != testCase.allowed()) {
            return "expected " + word(testCase.allowed()) + ", was " + word(allowed)
                    + (reason.isEmpty() ? "" : ": " + reason);
        }
        return "expected a reason with \"" + testCase.reason() + "\", was: " + reason;
    }

    static String word(boolean allowed) {
        return allowed ? "allow" : "deny";
    }
}
