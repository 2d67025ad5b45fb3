package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reference to the current index of stored role objects, which change one by one. Changes are sequential; decisions never wait for them. */
public final class CurrentRbac implements Supplier<@Nullable RbacIndex> {
    private final BooleanSupplier upToDate;
    private volatile @Nullable Published current;

    /** An index and its number, published together. */
    private record Published(RbacIndex index, long number) {}

    /** Creates a reference to an index that is always current. */
    public CurrentRbac() {
        this(() -> true);
    }

    /**
     * Creates a reference to an index that may lag.
     *
     * @param upToDate whether the maintainer of the index has caught up; called for each decision
     */
    public CurrentRbac(BooleanSupplier upToDate) {
        this.upToDate = upToDate;
    }

    /** Returns the index for decisions, null before {@link #replace} and while it lags. */
    @Override
    public @Nullable RbacIndex get() {
        return upToDate.getAsBoolean() ? latest() : null;
    }

    /** Returns the latest index, even while it lags; null before {@link #replace}. */
    public @Nullable RbacIndex latest() {
        Published now = current;
        return now == null ? null : now.index();
    }

    /** Returns a supplier of the latest index, which supplies null while that lags, for decisions of one revision. */
    public Supplier<@Nullable RbacIndex> pinned() {
        RbacIndex index = latest();
        return () -> upToDate.getAsBoolean() ? index : null;
    }

    /** Returns the number of the current index, starting at 1; 0 if there is none. */
    public long number() {
        Published now = current;
        return now == null ? 0 : now.number();
    }

    /** Returns the number of roles with incomplete aggregation, because of the limit. */
    public long incomplete() {
        Published now = current;
        return now == null
                ? 0
                : now.index().aggregated().stream()
                        .filter(role -> !role.leftOut().isEmpty())
                        .count();
    }

    /** Replaces the index, after a complete load. */
    public synchronized void replace(RbacIndex next) {
        current = new Published(next, number() + 1);
    }

    /**
     * Applies a change to the current index. Decisions that begin after this returns use the changed one.
     *
     * @param changes created or changed objects; null for deleted ones
     * @throws IllegalStateException before the first complete load, as a partial policy would be incorrect
     */
    public synchronized void change(Map<ObjectKey, ? extends @Nullable RbacObject> changes) {
        RbacIndex before = latest();
        if (before == null) {
            throw new IllegalStateException("a change before the first complete load");
        }
        current = new Published(before.with(changes), number() + 1);
    }
}
