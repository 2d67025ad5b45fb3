package io.plat.engine.webhook;

import io.plat.engine.Decision;

/**
 * A remote decider's response.
 *
 * @param decision the decision
 * @param revision the decider's name of the policy in effect; {@code ""} if it does not send one
 */
record RevisedDecision(Decision decision, String revision) {
    /** Returns an answer without a revision. */
    static RevisedDecision of(Decision decision) {
        return new RevisedDecision(decision, "");
    }
}
