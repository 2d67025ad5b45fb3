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
    private final Door door;
    private final Notes notes = new Notes();
    private final AtomicLong states = new AtomicLong();
    private final ConcurrentMap<Long, String> versions = new ConcurrentHashMap<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final CountDownLatch watched = new CountDownLatch(1);
    private volatile int epoch;

    Round(Door door) {
        this.door = door;
    }

    Door door() {
        return door;
    }

    Notes notes() {
        return notes;
    }

    /** Returns the prefix of its objects' names. */
    String name() {
        return name;
    }

    /** One of the objects that are used at present. */
    String key(int number) {
        return name + epoch + "-" + (char) ('a' + number);
    }

    /** Goes on with other objects. */
    void nextEpoch(int next) {
        epoch = next;
    }

    long nextState() {
        return states.incrementAndGet();
    }

    /** Under which version each state was seen. */
    ConcurrentMap<Long, String> versions() {
        return versions;
    }

    void end() {
        over.countDown();
    }

    void endWatches() {
        watched.countDown();
    }

    /** Rests; whether those who ask are to end. */
    boolean over(int restMillis) {
        return rest(over, restMillis);
    }

    /** Rests; whether those who watch are to end. */
    boolean watchedEnough(int restMillis) {
        return rest(watched, restMillis);
    }

    private static boolean rest(CountDownLatch until, int restMillis) {
        try {
            return until.await(restMillis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }
}
