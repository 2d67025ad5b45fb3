package io.plat.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The places of requests in flight, which clients share, and where one that does not send or read does not keep others out: a request that
 * has waited for its client for more than {@link #PATIENCE} loses its place as soon as another one needs it. One that waited for its body
 * must find a place again when that is there. Without that, as many half requests as there are places would keep everybody out. Safe for
 * any number of threads.
 */
public final class InFlightPlaces {
    /** Time for which a client that does not read keeps its place; a client that reads needs far less. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final FairLimit limit;
    private final LongSupplier nanoTime;
    private final Set<Place> waiting = ConcurrentHashMap.newKeySet();

    private enum State {
        INSIDE,
        OUTSIDE,
        LEFT
    }

    /**
     * Places within a limit.
     *
     * @param limit how many; 0 is no limit
     */
    public InFlightPlaces(int limit) {
        this(new FairLimit(limit), System::nanoTime);
    }

    InFlightPlaces(FairLimit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /**
     * A place for a request, or null where there is none for this client.
     *
     * @param client the name that shares are counted by
     */
    public @Nullable Place enter(String client) {
        FairLimit.@Nullable Share share = find(client);
        return share == null ? null : new Place(client, share);
    }

    private FairLimit.@Nullable Share find(String client) {
        FairLimit.Share share = limit.share(client, null);
        // Another caller may have taken the place in between.
        return share.grow(1) || (makeRoom() && share.grow(1)) ? share : null;
    }

    /** A place that is lost while a body is awaited is looked for again. */
    private static void nothingIsLost() {}

    private boolean makeRoom() {
        long now = nanoTime.getAsLong();
        for (Place place : waiting) {
            if (now - place.since > PATIENCE.toNanos() && place.makesWay()) {
                return true;
            }
        }
        return false;
    }

    /** One request's place. Entered when it is made, to be left once. */
    public final class Place {
        private final AtomicReference<State> state = new AtomicReference<>(State.INSIDE);
        private final String client;
        private volatile FairLimit.Share share;
        private volatile boolean waits;
        private volatile long since;
        private volatile Runnable onLoss = InFlightPlaces::nothingIsLost;

        private Place(String client, FairLimit.Share share) {
            this.client = client;
            this.share = share;
        }

        /** The body has to be waited for. */
        public void bodyIsAwaited() {
            await(InFlightPlaces::nothingIsLost);
        }

        /**
         * The client has to read before there is more to do.
         *
         * @param giveUp ends the answer, without waiting, where the place is lost meanwhile
         */
        public void answerIsAwaited(Runnable giveUp) {
            await(giveUp);
        }

        private void await(Runnable lost) {
            onLoss = lost;
            since = nanoTime.getAsLong();
            waits = true;
            waiting.add(this);
        }

        /** The client has read. */
        public void answerIsRead() {
            noLongerWaits();
        }

        /** The body is there: returns false where the place was lost meanwhile and none is free. */
        public boolean bodyIsHere() {
            noLongerWaits();
            return state.get() == State.INSIDE || comeBack();
        }

        private boolean comeBack() {
            FairLimit.@Nullable Share found = find(client);
            if (found == null) {
                return false;
            }
            share = found;
            if (state.compareAndSet(State.OUTSIDE, State.INSIDE)) {
                return true;
            }
            found.leave();
            return false;
        }

        private boolean makesWay() {
            waiting.remove(this);
            boolean yields = state.compareAndSet(State.INSIDE, State.OUTSIDE);
            if (yields) {
                share.leave();
                onLoss.run();
            }
            return yields;
        }

        /** The request has ended, however. Only the first call counts. */
        public void leave() {
            noLongerWaits();
            if (state.getAndSet(State.LEFT) == State.INSIDE) {
                share.leave();
            }
        }

        private void noLongerWaits() {
            if (waits) {
                waits = false;
                waiting.remove(this);
            }
        }
    }
}
