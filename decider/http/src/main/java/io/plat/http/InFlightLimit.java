package io.plat.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Limit on requests in flight, which clients share fairly. A request that has waited for its client to send or read longer than {@link #IDLE_TIMEOUT}
 * loses its permit as soon as another one needs it; one that waited for its body must then acquire a permit again when the body arrives. Otherwise,
 * incomplete requests could hold all permits. Thread-safe.
 */
public final class InFlightLimit {
    /** Time for which a client that does not send or read keeps its permit; others need far less. */
    static final Duration IDLE_TIMEOUT = Duration.ofSeconds(1);

    private final FairLimit limit;
    private final LongSupplier nanoTime;
    private final Set<Permit> waiting = ConcurrentHashMap.newKeySet();

    private enum State {
        HELD,
        LOST,
        RELEASED
    }

    /**
     * Creates a limit.
     *
     * @param limit maximum number of requests; 0 is unlimited
     */
    public InFlightLimit(int limit) {
        this(new FairLimit(limit), System::nanoTime);
    }

    InFlightLimit(FairLimit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /**
     * Returns a permit for a request, or null if the client cannot get one.
     *
     * @param client the client's name
     */
    public @Nullable Permit acquire(String client) {
        FairLimit.@Nullable Share share = find(client);
        return share == null ? null : new Permit(client, share);
    }

    private FairLimit.@Nullable Share find(String client) {
        FairLimit.Share share = limit.share(client, null);
        // Another caller may have taken the permit meanwhile.
        return share.grow(1) || (makeRoom() && share.grow(1)) ? share : null;
    }

    /** Does nothing: a permit lost while waiting for a body is acquired again. */
    private static void doNothing() {}

    private boolean makeRoom() {
        long now = nanoTime.getAsLong();
        for (Permit permit : waiting) {
            if (now - permit.since > IDLE_TIMEOUT.toNanos() && permit.withdraw()) {
                return true;
            }
        }
        return false;
    }

    /** Permit of one request, to be released once. */
    public final class Permit {
        private final AtomicReference<State> state = new AtomicReference<>(State.HELD);
        private final String client;
        private volatile FairLimit.Share share;
        private volatile boolean waits;
        private volatile long since;
        private volatile Runnable onLoss = InFlightLimit::doNothing;

        private Permit(String client, FairLimit.Share share) {
            this.client = client;
            this.share = share;
        }

        /** Records that the request waits for its body. */
        public void awaitBody() {
            beginWait(InFlightLimit::doNothing);
        }

        /**
         * Records that the response waits for the client to read.
         *
         * @param abort aborts the response, without blocking, if the permit is lost meanwhile
         */
        public void awaitClient(Runnable abort) {
            beginWait(abort);
        }

        private void beginWait(Runnable lost) {
            onLoss = lost;
            since = nanoTime.getAsLong();
            waits = true;
            waiting.add(this);
        }

        /** Records that the client has read. */
        public void clientHasRead() {
            endWait();
        }

        /** Records the arrival of the body; returns false if the permit was lost meanwhile and none is available. */
        public boolean bodyArrived() {
            endWait();
            return state.get() == State.HELD || reacquire();
        }

        private boolean reacquire() {
            FairLimit.@Nullable Share found = find(client);
            if (found == null) {
                return false;
            }
            share = found;
            if (state.compareAndSet(State.LOST, State.HELD)) {
                return true;
            }
            found.release();
            return false;
        }

        private boolean withdraw() {
            waiting.remove(this);
            boolean withdrawn = state.compareAndSet(State.HELD, State.LOST);
            if (withdrawn) {
                share.release();
                onLoss.run();
            }
            return withdrawn;
        }

        /** Releases the permit. Only the first call has an effect. */
        public void release() {
            endWait();
            if (state.getAndSet(State.RELEASED) == State.HELD) {
                share.release();
            }
        }

        private void endWait() {
            if (waits) {
                waits = false;
                waiting.remove(this);
            }
        }
    }
}
