package io.plat.apiserver.memory;

import io.plat.http.FairLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Places for requests that compute for long. A client alone leaves one of them to others, and where several wait, they take turns, however
 * many requests of one of them wait. For any number of threads.
 */
final class ComputingPlaces {
    private final FairLimit places;

    /** The requests that wait, by client; the client that is next comes first. */
    private final SequencedMap<String, Deque<Semaphore>> waiting = new LinkedHashMap<>();

    /** So many places. */
    ComputingPlaces(int places) {
        this.places = new FairLimit(places);
    }

    /**
     * Waits for a place, or returns false where there was none in time. Who enters leaves exactly once.
     *
     * @param client the name that places are shared by
     */
    boolean enter(String client, Duration patience) {
        var admission = new Semaphore(0);
        synchronized (this) {
            waiting.computeIfAbsent(client, any -> new ArrayDeque<>()).add(admission);
            admit();
        }
        try {
            if (admission.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                return true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            waiting.computeIfPresent(client, (any, own) -> own.remove(admission) && own.isEmpty() ? null : own);
            // It may have been admitted at the last moment.
            return admission.tryAcquire();
        }
    }

    /** A request of this client needs its place no more. */
    synchronized void leave(String client) {
        places.leave(client);
        admit();
    }

    private void admit() {
        for (boolean admitted = true; admitted; ) {
            admitted = false;
            for (String client : List.copyOf(waiting.sequencedKeySet())) {
                if (places.tryEnter(client)) {
                    admitted = true;
                    Deque<Semaphore> own = Objects.requireNonNull(waiting.remove(client));
                    own.remove().release();
                    if (!own.isEmpty()) {
                        waiting.put(client, own);
                    }
                }
            }
        }
    }
}
