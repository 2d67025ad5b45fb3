package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.process.Freshness;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Progress of following role objects, by type: requests, failures, and when the policy was last known to be current. */
public final class Progress {
    private static final double NANOS = 1e9;

    private final LongSupplier nanoTime;
    private final Freshness freshness;
    private final Map<RbacKind, OfType> types = new EnumMap<>(RbacKind.class);
    private final LongAdder changes = new LongAdder();
    private volatile boolean loaded;
    private volatile long incomplete;

    private static final class OfType {
        private final LongAdder lists = new LongAdder();
        private final LongAdder watches = new LongAdder();
        private final LongAdder failures = new LongAdder();
        private final AtomicLong confirmed = new AtomicLong();
        private volatile int unusable;
    }

    /**
     * Creates the initial state.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     * @param freshness is confirmed with the time of the type that was confirmed longest ago
     */
    Progress(LongSupplier nanoTime, Freshness freshness) {
        this.nanoTime = nanoTime;
        this.freshness = freshness;
        for (RbacKind kind : RbacKind.values()) {
            types.put(kind, new OfType());
        }
    }

    private OfType of(RbacKind kind) {
        OfType type = types.get(kind);
        if (type == null) {
            throw new IllegalStateException("no type " + kind);
        }
        return type;
    }

    void listed(RbacKind kind) {
        of(kind).lists.increment();
        confirmed(kind);
    }

    void watchStarted(RbacKind kind) {
        of(kind).watches.increment();
    }

    void failed(RbacKind kind) {
        of(kind).failures.increment();
    }

    /** Records that the server has sent all changes of a type up to now. */
    void confirmed(RbacKind kind) {
        long now = nanoTime.getAsLong();
        of(kind).confirmed.set(now);
        if (loaded) {
            freshness.confirmed(now - age(now));
        }
    }

    void unusable(RbacKind kind, int objects) {
        of(kind).unusable = objects;
    }

    void changed(long incompleteRoles) {
        incomplete = incompleteRoles;
        changes.increment();
    }

    void loaded() {
        loaded = true;
    }

    /** Returns whether every type has been listed completely. */
    public boolean isLoaded() {
        return loaded;
    }

    /** Returns the number of complete lists of a type. */
    public long lists(RbacKind kind) {
        return of(kind).lists.sum();
    }

    /** Returns the number of started watches of a type. */
    public long watches(RbacKind kind) {
        return of(kind).watches.sum();
    }

    /** Returns the number of failed requests and abnormally ended watches of a type. */
    public long failures(RbacKind kind) {
        return of(kind).failures.sum();
    }

    /** Returns the number of invalid objects of a type, which grant nothing. */
    public int unusable(RbacKind kind) {
        return of(kind).unusable;
    }

    /** Returns the number of roles with incomplete aggregation. */
    public long incomplete() {
        return incomplete;
    }

    /** Returns the number of changes of the policy. */
    public long changes() {
        return changes.sum();
    }

    /** Returns the seconds since the whole policy was last known to be current; NaN before it was loaded. */
    public double ageSeconds() {
        return loaded ? age(nanoTime.getAsLong()) / NANOS : Double.NaN;
    }

    private long age(long now) {
        return types.values().stream()
                .mapToLong(type -> now - type.confirmed.get())
                .max()
                .orElse(0);
    }
}
