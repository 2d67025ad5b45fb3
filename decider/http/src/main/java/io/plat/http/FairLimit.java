package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit that clients share fairly: on requests in flight, memory or streams. A greedy client leaves room for others. There is no queue.
 * Thread-safe.
 *
 * <p>Requests use {@link #tryAcquire}. A client may hold four times as many permits as remain free, and always one. A single client thus gets four
 * fifths of the permits, two get four ninths each, and for any number of greedy clients some permits remain free for the next one. This is the
 * dynamic threshold rule, by which packet switches share memory among ports (Choudhury and Hahne, 1998).
 *
 * <p>Long-lived use is a {@link Share}. A single client may use the whole limit. If there is no room for another one, the oldest shares of the client
 * with the highest use are withdrawn, as long as it uses more than the other one would. If shares cannot be withdrawn, then for {@link
 * #RESERVED_NANOS} after a refusal no other client may grow beyond a quarter of the limit. If that applies to most shares, they leave room by the
 * rule for requests ({@link #leavingRoom}).
 */
public final class FairLimit {
    /** Response beyond a limit: 429, with a Retry-After of one second. */
    public static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many requests in flight, please try again later")
            .withRetryAfter(1);

    /** Time reserved for a refused client, in nanoseconds: its Retry-After is one second. */
    static final long RESERVED_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int TIMES_THE_FREE = 4;

    private final long limit;
    private final boolean leavesRoom;
    private final LongSupplier nanoTime;
    private final Map<String, Client> clients = new HashMap<>();
    private volatile long used;
    private String waiting = "";
    private long waitingSince;

    private static final class Client {
        /** The oldest first. */
        private final Set<Share> withdrawable = new LinkedHashSet<>();

        private long held;
    }

    /**
     * Creates a limit.
     *
     * @param limit maximum use of all clients together; 0 is no limit
     */
    public FairLimit(long limit) {
        this(limit, System::nanoTime);
    }

    FairLimit(long limit, LongSupplier nanoTime) {
        this(limit, false, nanoTime);
    }

    /** Creates a limit whose shares leave room for other clients, as most of them cannot be withdrawn. */
    public static FairLimit leavingRoom(long limit) {
        return new FairLimit(limit, true, System::nanoTime);
    }

    private FairLimit(long limit, boolean leavesRoom, LongSupplier nanoTime) {
        if (limit < 0) {
            throw new IllegalArgumentException("negative limit");
        }
        this.limit = limit;
        this.leavesRoom = leavesRoom;
        this.nanoTime = nanoTime;
    }

    /**
     * Acquires a permit, or returns false if the limit, or this client's share of it, is reached. Every successful call must be followed by exactly
     * one {@link #release}.
     *
     * @param client the client's name
     */
    public synchronized boolean tryAcquire(String client) {
        long own = held(client) + 1;
        long free = limit - used - 1;
        if (limit > 0 && (free < 0 || (own > 1 && own > TIMES_THE_FREE * free))) {
            return false;
        }
        hold(client, 1);
        return true;
    }

    /** Releases a permit of a client. */
    public void release(String client) {
        hold(client, -1);
    }

    /**
     * Returns an empty share.
     *
     * @param client the client's name
     * @param onWithdrawal aborts the use of the share, without blocking; null if that is impossible
     */
    public Share share(String client, @Nullable Runnable onWithdrawal) {
        return share(client, onWithdrawal, () -> true);
    }

    /** Returns an empty share that, while idle, is withdrawn before older ones of the client that are not idle. */
    Share share(String client, @Nullable Runnable onWithdrawal, BooleanSupplier idle) {
        return new Share(client, onWithdrawal, idle);
    }

    /** Returns the current total use. */
    public long inUse() {
        return used;
    }

    /** Returns the number of clients with any use. */
    synchronized int users() {
        return clients.size();
    }

    private long held(String name) {
        @Nullable Client client = clients.get(Objects.requireNonNull(name));
        return client == null ? 0 : client.held;
    }

    private synchronized Client hold(String name, long more) {
        Client client = clients.computeIfAbsent(name, unknown -> new Client());
        client.held += more;
        used += more;
        if (client.held == 0) {
            clients.remove(name);
        }
        return client;
    }

    private boolean take(Share share, long more, List<Share> withdrawn) {
        long held = held(share.client);
        boolean greedy = held > 0 && held + more > limit / 4;
        boolean crowding = leavesRoom && held > 0 && held + more > TIMES_THE_FREE * (limit - used - more);
        boolean room = limit == 0 || !(greedy && (crowding || othersWait(share.client)));
        while (room && limit > 0 && used + more > limit) {
            @Nullable Share victim = oldestOfTheLargest(held + more);
            room = victim != null;
            if (victim != null) {
                victim.end();
                withdrawn.add(victim);
            }
        }
        if (room) {
            Client client = hold(share.client, more);
            if (share.onWithdrawal != null) {
                client.withdrawable.add(share);
            }
        } else if (!greedy) {
            waiting = share.client;
            waitingSince = nanoTime.getAsLong();
        }
        return room;
    }

    private boolean othersWait(String client) {
        return !waiting.isEmpty() && !waiting.equals(client) && nanoTime.getAsLong() - waitingSince < RESERVED_NANOS;
    }

    /** Returns the share to withdraw from the client with the highest use, if it uses more than the other one would. */
    private @Nullable Share oldestOfTheLargest(long wanted) {
        @Nullable Client largest = null;
        for (Client client : clients.values()) {
            if (!client.withdrawable.isEmpty() && client.held > (largest == null ? wanted : largest.held)) {
                largest = client;
            }
        }
        if (largest == null) {
            return null;
        }
        for (Share share : largest.withdrawable) {
            if (share.idle.getAsBoolean()) {
                return share;
            }
        }
        return largest.withdrawable.iterator().next();
    }

    /** Use of the limit by one request or stream of a client. */
    public final class Share {
        private final String client;
        private final BooleanSupplier idle;
        private @Nullable Runnable onWithdrawal;
        private long amount;
        private boolean over;

        private Share(String client, @Nullable Runnable onWithdrawal, BooleanSupplier idle) {
            this.client = client;
            this.idle = idle;
            this.onWithdrawal = onWithdrawal;
        }

        /** Increases the use, or returns false if the limit does not permit it or the share was withdrawn. */
        public boolean grow(long more) {
            List<Share> withdrawn = new ArrayList<>(0);
            boolean grown;
            synchronized (FairLimit.this) {
                grown = !over && take(this, more, withdrawn);
                amount += grown ? more : 0;
            }
            for (Share share : withdrawn) {
                Objects.requireNonNull(share.onWithdrawal).run();
            }
            return grown;
        }

        /** Protects the share from withdrawal. */
        public void settle() {
            synchronized (FairLimit.this) {
                if (!over && amount > 0) {
                    hold(client, 0).withdrawable.remove(this);
                    onWithdrawal = null;
                }
            }
        }

        /** Releases the share. Has no effect after the first call, or after a withdrawal. */
        public void release() {
            synchronized (FairLimit.this) {
                end();
            }
        }

        private void end() {
            if (!over && amount > 0) {
                hold(client, 0).withdrawable.remove(this);
                hold(client, -amount);
            }
            over = true;
        }
    }
}
