package io.plat.engine.decided;

import io.plat.engine.Decision;
import io.plat.review.Attributes;
import java.time.Instant;
import java.util.Objects;

/**
 * A decision as it is handed over to the log: nothing in it has been turned into text yet.
 *
 * @param id the id that its answer carries
 * @param time when it was made
 * @param client what the certificate of who asked calls it
 * @param asked the question
 * @param decision the answer
 * @param policyRevision the policy that it was made under
 * @param nanos how long deciding took
 * @param reviewBytes the size of the review that asked
 * @param shadow what a candidate makes of the same question
 */
public record Decided(
        String id,
        Instant time,
        String client,
        Attributes asked,
        Decision decision,
        String policyRevision,
        long nanos,
        int reviewBytes,
        ShadowSlot shadow) {
    public Decided {
        Objects.requireNonNull(id);
        Objects.requireNonNull(time);
        Objects.requireNonNull(client);
        Objects.requireNonNull(asked);
        Objects.requireNonNull(decision);
        Objects.requireNonNull(policyRevision);
        Objects.requireNonNull(shadow);
        if (nanos < 0 || reviewBytes < 0) {
            throw new IllegalArgumentException("below zero: " + nanos + " ns, " + reviewBytes + " bytes");
        }
    }

    /** The same decision with the candidate's other one, for a further line. */
    public Decided with(ShadowSlot.Shadowed shadowed) {
        return with(ShadowSlot.with(shadowed));
    }

    /** The same decision without the candidate's. */
    public Decided withoutShadow() {
        return with(ShadowSlot.NONE);
    }

    private Decided with(ShadowSlot slot) {
        return new Decided(id, time, client, asked, decision, policyRevision, nanos, reviewBytes, slot);
    }
}
