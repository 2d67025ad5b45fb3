package io.plat.engine.decided;

import io.plat.engine.Decision;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Exchange between a candidate's decision and the log line of the real one, which two threads produce independently: the second one sees the result
 * of the first. Thread-safe.
 */
public final class ShadowSlot {
    /** The slot of decisions without a candidate. */
    public static final ShadowSlot NONE = new ShadowSlot();

    private static final Object WRITTEN = new Object();

    private final AtomicReference<@Nullable Object> content = new AtomicReference<>();

    /**
     * A candidate's disagreeing decision.
     *
     * @param policyRevision the candidate that made it
     */
    public record Shadowed(Decision decision, String policyRevision) {}

    public ShadowSlot() {}

    /** Returns a slot of a line that is written because of a candidate's decision. */
    static ShadowSlot with(Shadowed shadowed) {
        ShadowSlot slot = new ShadowSlot();
        slot.content.set(shadowed);
        return slot;
    }

    /** Adds the candidate's decision to the line; returns false if the line is already written. */
    public boolean offer(Shadowed shadowed) {
        return content.compareAndSet(null, shadowed);
    }

    /** Returns the result for the line that is being written, or null. */
    @Nullable
    Shadowed take() {
        if (this == NONE || content.compareAndSet(null, WRITTEN)) {
            return null;
        }
        return content.get() instanceof Shadowed shadowed ? shadowed : null;
    }
}
