package io.plat.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Places of requests in flight that slow bodies do not block: a request that has waited for its body for more than {@link #PATIENCE} loses its
 * place as soon as another one needs it, and must enter again when the body is complete. Without that, as many partial requests as there are
 * places would block all clients. Costs nothing while there is room. Thread-safe.
 */
public final class InFlightPlaces {
    /** Maximum time that a place is reserved for a body; a healthy client needs far less. */
    static final Duration PATIENCE = Duration.ofSeconds(1);

    private final InFlightLimit limit;
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
     * @param limit how many; others may count in it, too
     */
    public InFlightPlaces(InFlightLimit limit) {
        this(limit, System::nanoTime);
    }

    InFlightPlaces(InFlightLimit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /** A place for a request, or null where there is none. */
    public @Nullable Place enter() {
        return find() ? new Place() : null;
    }

    private boolean find() {
        // Another request may have taken the place that was freed in between.
        return limit.tryEnter() || (makeRoom() && limit.tryEnter());
    }

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
        private volatile boolean waits;
        private volatile long since;

        private Place() {}

        /** The body has to be waited for. */
        public void bodyIsAwaited() {
            since = nanoTime.getAsLong();
            waits = true;
            waiting.add(this);
        }

        /** The body is there: returns false where the place was lost meanwhile and none is free. */
        public boolean bodyIsHere() {
            noLongerWaits();
            return state.get() == State.INSIDE || comeBack();
        }

        private boolean comeBack() {
            if (!find()) {
                return false;
            }
            if (state.compareAndSet(State.OUTSIDE, State.INSIDE)) {
                return true;
            }
            limit.leave();
            return false;
        }

        private boolean makesWay() {
            waiting.remove(this);
            boolean yields = state.compareAndSet(State.INSIDE, State.OUTSIDE);
            if (yields) {
                limit.leave();
            }
            return yields;
        }

        /** The request has ended, however. Only the first call counts. */
        public void leave() {
            noLongerWaits();
            if (state.getAndSet(State.LEFT) == State.INSIDE) {
                limit.leave();
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
