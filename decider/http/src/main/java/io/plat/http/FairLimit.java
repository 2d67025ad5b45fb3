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
 * A limit that clients share: of requests in flight, of memory, of streams. A client that requests more than all others leaves room for them.
 * Nobody is queued. Safe for any number of threads.
 *
 * <p>Requests enter by {@link #tryEnter}. A client may have four times as many inside as places stay free, and always one. So a client alone
 * gets four fifths of the places, two get four ninths each, and for any number of greedy clients some places stay free for the next one. That is
 * the rule of dynamic thresholds, by which packet switches share their memory among ports (Choudhury and Hahne, 1998).
 *
 * <p>Long-lived use is a {@link Share}. A client alone may hold all of the limit. If there is no room for another one, the oldest shares of the
 * client with the most are withdrawn, as long as it holds more than the other one would. What cannot be withdrawn is waited for: for
 * {@link #PATIENCE_NANOS} after somebody was refused, no other client grows beyond a quarter. Where that is most of the use, shares leave room
 * by the rule for requests ({@link #leavingRoom}).
 */
public final class FairLimit {
    /** Answer to a request beyond a limit: 429, with a Retry-After of one second. */
    public static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many requests in flight, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 1));

    /** Retry-After of a rejected client is one second. */
    static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final int TIMES_THE_FREE = 4;

    private final long limit;
    private final boolean leavesRoom;
    private final LongSupplier nanoTime;
    private final Map<String, Client> clients = new HashMap<>();
    private volatile long taken;
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

    /** Returns a limit whose shares leave room for other clients, as most of them cannot be withdrawn. */
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
     * Enters, or returns false if the limit, or this client's share of it, is reached. Every successful call must be followed by exactly one
     * {@link #leave}.
     *
     * @param client the name by which shares are counted
     */
    public synchronized boolean tryEnter(String client) {
        long own = held(client) + 1;
        long free = limit - taken - 1;
        if (limit > 0 && (free < 0 || (own > 1 && own > TIMES_THE_FREE * free))) {
            return false;
        }
        hold(client, 1);
        return true;
    }

    /** A request of this client leaves. */
    public void leave(String client) {
        hold(client, -1);
    }

    /**
     * Returns an empty share.
     *
     * @param client the name by which shares are counted
     * @param onWithdrawal aborts the use of the share, without blocking; null if that is impossible
     */
    public Share share(String client, @Nullable Runnable onWithdrawal) {
        return share(client, onWithdrawal, () -> true);
    }

    /** The same where a share of the client that is idle at that time is withdrawn before older ones that are not. */
    Share share(String client, @Nullable Runnable onWithdrawal, BooleanSupplier idle) {
        return new Share(client, onWithdrawal, idle);
    }

    /** Returns the current use of all clients together. */
    public long inside() {
        return taken;
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
        taken += more;
        if (client.held == 0) {
            clients.remove(name);
        }
        return client;
    }

    private boolean take(Share share, long more, List<Share> withdrawn) {
        long held = held(share.client);
        boolean greedy = held > 0 && held + more > limit / 4;
        boolean crowding = leavesRoom && held > 0 && held + more > TIMES_THE_FREE * (limit - taken - more);
        boolean room = limit == 0 || !(greedy && (crowding || othersWait(share.client)));
        while (room && limit > 0 && taken + more > limit) {
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
        return !waiting.isEmpty() && !waiting.equals(client) && nanoTime.getAsLong() - waitingSince < PATIENCE_NANOS;
    }

    /** Returns the share to withdraw from the client with the most, if that is more than another one would have. */
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

        /** Takes more, or returns false where there is not so much for this client, or the share has been withdrawn. */
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

        /** Protects the share from being withdrawn from now on. */
        public void settle() {
            synchronized (FairLimit.this) {
                if (!over && amount > 0) {
                    hold(client, 0).withdrawable.remove(this);
                    onWithdrawal = null;
                }
            }
        }

        /** Releases the whole share. Only the first call has an effect, and none after a withdrawal. */
        public void leave() {
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
