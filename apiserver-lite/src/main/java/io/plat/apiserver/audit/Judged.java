package io.plat.apiserver.audit;

import io.plat.engine.Decision;
import java.util.Objects;

/**
 * What was decided about a request.
 *
 * @param decision the decision, whose texts are made where its event is written
 * @param modes all that were asked
 * @param policyRevision the policy that it was decided by
 */
record Judged(Decision decision, String modes, PolicyRevision policyRevision) {
    Judged {
        Objects.requireNonNull(decision);
        Objects.requireNonNull(modes);
        Objects.requireNonNull(policyRevision);
    }
}
