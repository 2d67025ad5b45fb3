package io.plat.engine.decided;

import java.io.ByteArrayOutputStream;
import java.util.Set;

/** Decisions as lines of a decision log, for whoever shows them elsewhere. For one thread. */
public final class DecisionText {
    private final DecisionLine form;

    /**
     * A writer.
     *
     * @param allModes what decided where no single mode allowed: the only mode, or {@code Union}
     * @param masked the fields of a spec whose values are not written
     */
    public DecisionText(String allModes, Set<SpecField> masked) {
        this.form = new DecisionLine(allModes, new SpecMask(masked));
    }

    /** Appends the line of a decision, with its end, and without what a candidate makes of it: that belongs to the log. */
    public void write(Decided decided, ByteArrayOutputStream lines) {
        form.write(
                new Decided(
                        decided.id(),
                        decided.time(),
                        decided.client(),
                        decided.asked(),
                        decided.decision(),
                        decided.policyRevision(),
                        decided.nanos(),
                        decided.reviewBytes(),
                        ShadowSlot.NONE),
                lines);
    }
}
