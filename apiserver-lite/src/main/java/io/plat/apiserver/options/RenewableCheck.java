package io.plat.apiserver.options;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Check of the writes of one request by the current permissions of its user. Since they may be revoked while the request waits, for admission or
 * its turn to compute, the check is repeated just before a write that comes later than some time after it. Belongs to one thread.
 */
public final class RenewableCheck implements WriteCheck {
    private final WriteCheck check;
    private final long maxAgeNanos;
    private final LongSupplier nanoTime;
    private long checkedAt;

    /** @param maxAgeNanos age from which the check is repeated */
    public RenewableCheck(WriteCheck check, long maxAgeNanos, LongSupplier nanoTime) {
        this.check = check;
        this.maxAgeNanos = maxAgeNanos;
        this.nanoTime = nanoTime;
    }

    @Override
    public void admit(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {
        long start = nanoTime.getAsLong();
        check.admit(target, part, after, before);
        checkedAt = start;
    }

    @Override
    public void renew(Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {
        if (nanoTime.getAsLong() - checkedAt > maxAgeNanos) {
            admit(target, part, after, before);
        }
    }

    @Override
    public WriteCheck after(WriteCheck other) {
        return new RenewableCheck(check.after(other), maxAgeNanos, nanoTime);
    }
}
