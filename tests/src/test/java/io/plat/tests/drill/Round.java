package io.plat.tests.drill;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** State shared by the clients of one drill. Thread-safe. */
final class Round {
    private static final AtomicInteger ROUNDS = new AtomicInteger();

    private final String name = "r" + ROUNDS.incrementAndGet() + "-";
    private final ServerAccess access;
    private final ObservationRecorder recorder = new ObservationRecorder();
    private final AtomicLong states = new AtomicLong();
    private final ConcurrentMap<Long, String> versions = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch watched = new CountDownLatch(1);
    private volatile int epoch;

    Round(ServerAccess access) {
        this.access = access;
    }

    ServerAccess access() {
        return access;
    }

    ObservationRecorder recorder() {
        return recorder;
    }

    /** Returns the prefix of its objects' names. */
    String name() {
        return name;
    }

    /** Returns one of the current objects. */
    String key(int number) {
        return name + epoch + "-" + (char) ('a' + number);
    }

    /** Switches to new objects. */
    void nextEpoch(int next) {
        epoch = next;
    }

    long nextState() {
        return states.incrementAndGet();
    }

    /** Returns the version at which each state was observed. */
    ConcurrentMap<Long, String> versions() {
        return versions;
    }

    void end() {
        over.countDown();
    }

    void endWatches() {
        watched.countDown();
    }

    /** Pauses; returns whether request clients must end. */
    boolean isOver(int pauseMillis) {
        return pause(over, pauseMillis);
    }

    /** Pauses; returns whether watchers must end. */
    boolean isWatchOver(int pauseMillis) {
        return pause(watched, pauseMillis);
    }

    private static boolean pause(CountDownLatch end, int pauseMillis) {
        try {
            return end.await(pauseMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
