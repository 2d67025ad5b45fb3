package io.plat.engine.webhook;

import io.plat.engine.Decision;

/**
 * What a remote decider answered.
 *
 * @param decision the decision
 * @param revision the policy that it was made under, as the decider names it; {@code ""} where it does not say
 */
record Answer(Decision decision, String revision) {
    /** An answer that does not say by what it was decided. */
    static Answer of(Decision decision) {
        return new Answer(decision, "");
    }
}
