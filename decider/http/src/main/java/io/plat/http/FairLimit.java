package io.plat.http;

import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many requests may be underway at a time, shared by users: one who asks for more than all others leaves room for them. Nobody
 * is queued. Safe for any number of threads.
 *
 * <p>A user may have four times as many requests inside as places stay free, and always one. So somebody alone gets four
 * fifths of the places, two get four ninths each, and however many are greedy some places stay free for who comes next; what others
 * leave unused, anybody may use. That is the rule of dynamic thresholds, by which packet switches share their memory among ports
 * (Choudhury and Hahne, 1998): it needs no count of users and no clock.
 */
public final class FairLimit {
    private static final int TIMES_THE_FREE = 4;

    private final int limit;
    private final AtomicInteger inside = new AtomicInteger();
    private final ConcurrentMap<String, Integer> held = new ConcurrentHashMap<>();

    /**
     * A limit of its own counts.
     *
     * @param limit the largest number of requests of all users; 0 is no limit
     */
    public FairLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("negative limit");
        }
        this.limit = limit;
    }

    /**
     * Enters, or returns false where the limit, or this user's share of it, is reached. Who enters leaves exactly once.
     *
     * @param user the name that shares are counted by
     */
    public boolean tryEnter(String user) {
        Objects.requireNonNull(user);
        int now = inside.incrementAndGet();
        if (limit == 0) {
            return true;
        }
        if (now <= limit) {
            int own = held.merge(user, 1, Integer::sum);
            if (own == 1 || own <= TIMES_THE_FREE * (limit - now)) {
                return true;
            }
            release(user);
        }
        inside.decrementAndGet();
        return false;
    }

    /** A request of this user leaves. */
    public void leave(String user) {
        if (limit > 0) {
            release(user);
        }
        inside.decrementAndGet();
    }

    private void release(String user) {
        held.computeIfPresent(user, (name, own) -> own == 1 ? null : own - 1);
    }

    /** Requests inside now. */
    public int inside() {
        return inside.get();
    }

    /** Users with requests inside now; none are counted where there is no limit. */
    int users() {
        return held.size();
    }
}
