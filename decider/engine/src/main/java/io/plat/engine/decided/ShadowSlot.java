package io.plat.engine.decided;

import io.plat.engine.Decision;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where what a candidate decided meets the line of the real decision, which are made by two threads that do not wait for each other:
 * whichever comes second knows. Safe for any number of threads.
 */
public final class ShadowSlot {
    /** Of a decision that no candidate decides as well. */
    public static final ShadowSlot NONE = new ShadowSlot();

    private static final Object WRITTEN = new Object();

    private final AtomicReference<@Nullable Object> content = new AtomicReference<>();

    /**
     * What a candidate decided otherwise.
     *
     * @param decision its decision
     * @param policyRevision the candidate that made it
     */
    public record Shadowed(Decision decision, String policyRevision) {
        public Shadowed {
            Objects.requireNonNull(decision);
            Objects.requireNonNull(policyRevision);
        }
    }

    /** A slot with nothing in it. */
    public ShadowSlot() {}

    /** A slot of a line that is written because of what a candidate decided. */
    static ShadowSlot with(Shadowed shadowed) {
        ShadowSlot slot = new ShadowSlot();
        slot.content.set(shadowed);
        return slot;
    }

    /** Adds to the line; returns false where it is written already. */
    public boolean offer(Shadowed shadowed) {
        return content.compareAndSet(null, shadowed);
    }

    /** What belongs into the line that is written now, or null. */
    @Nullable
    Shadowed take() {
        if (this == NONE || content.compareAndSet(null, WRITTEN)) {
            return null;
        }
        return content.get() instanceof Shadowed shadowed ? shadowed : null;
    }
}
