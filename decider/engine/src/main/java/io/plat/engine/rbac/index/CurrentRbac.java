package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import java.util.Collection;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reference to a changing index: for role objects of a store that change one by one. Changes are sequential; decisions never wait for them. */
public final class CurrentRbac implements Supplier<@Nullable RbacIndex> {
    private final BooleanSupplier upToDate;
    private volatile @Nullable Published current;

    /** An index and how many there have been, one reference, so that neither is seen without the other. */
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

    /** The index to decide by, null until {@link #replace} was called and while it is behind. */
    @Override
    public @Nullable RbacIndex get() {
        return upToDate.getAsBoolean() ? latest() : null;
    }

    /** The index that was made last, also while it is behind; null until {@link #replace} was called. */
    public @Nullable RbacIndex latest() {
        Published now = current;
        return now == null ? null : now.index();
    }

    /** Gives the index that was made last, and null while that is behind, for decisions of one revision. */
    public Supplier<@Nullable RbacIndex> pinned() {
        RbacIndex index = latest();
        return () -> upToDate.getAsBoolean() ? index : null;
    }

    /** Returns the number of the current index, starting at 1; 0 if there is none. */
    public long number() {
        Published now = current;
        return now == null ? 0 : now.number();
    }

    /** Returns the number of roles that lack rules that they should aggregate, as there would be too many. */
    public long incomplete() {
        Published now = current;
        return now == null
                ? 0
                : now.index().aggregated().stream()
                        .filter(role -> !role.leftOut().isEmpty())
                        .count();
    }

    /** Makes an index the current one, as after a first or a renewed complete load. */
    public synchronized void replace(RbacIndex next) {
        current = new Published(next, number() + 1);
    }

    /**
     * Applies a change to the current index. A decision that begins after the return uses the changed one.
     *
     * @param puts created or changed objects
     * @param removals deleted objects
     * @throws IllegalStateException if nothing was loaded yet: a part of the objects would be taken for all of them
     */
    public synchronized void change(Collection<? extends RbacObject> puts, Collection<ObjectKey> removals) {
        RbacIndex before = latest();
        if (before == null) {
            throw new IllegalStateException("a change before the first complete load");
        }
        current = new Published(before.with(puts, removals), number() + 1);
    }
}
