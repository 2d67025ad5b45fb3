package io.plat.engine.decided;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.time.Instant;

/**
 * A decision, as passed to the log unformatted.
 *
 * @param id the audit ID of the response
 * @param client the caller's name from its certificate
 * @param attributes the request
 * @param policyRevision the policy in effect
 * @param nanos duration of the decision, in nanoseconds
 * @param reviewBytes the size of the review
 * @param shadow the candidate's decision on the same request
 */
public record DecisionRecord(
        String id,
        Instant time,
        String client,
        Attributes attributes,
        Decision decision,
        String policyRevision,
        long nanos,
        int reviewBytes,
        ShadowSlot shadow) {
    public DecisionRecord {
        if (nanos < 0 || reviewBytes < 0) {
            throw new IllegalArgumentException("below zero: " + nanos + " ns, " + reviewBytes + " bytes");
        }
    }

    /** Returns the same record with the candidate's decision, for another line. */
    public DecisionRecord with(ShadowSlot.Shadowed shadowed) {
        return with(ShadowSlot.with(shadowed));
    }

    /** Returns the same record without the candidate's decision. */
    public DecisionRecord withoutShadow() {
        return with(ShadowSlot.NONE);
    }

    private DecisionRecord with(ShadowSlot slot) {
        return new DecisionRecord(id, time, client, attributes, decision, policyRevision, nanos, reviewBytes, slot);
    }
}
