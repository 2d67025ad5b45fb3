package io.plat.tests.simulation;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Simulated time in nanoseconds, with scheduled events in order; simultaneous ones run in the order of scheduling. Single-threaded. */
final class Timeline {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final RandomGenerator random;
    private long now;
    private long scheduled;

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Starts at time 0. All random numbers depend on the seed. */
    Timeline(long seed) {
        random = RandomGeneratorFactory.of("Xoroshiro128PlusPlus").create(seed);
    }

    long now() {
        return now;
    }

    RandomGenerator random() {
        return random;
    }

    /** Returns an exponentially distributed time with this mean, in nanoseconds. */
    long exponential(double meanNanos) {
        return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
    }

    /** Returns an exponentially distributed time with this mean, in nanoseconds. */
    long exponential(Duration mean) {
        return exponential((double) mean.toNanos());
    }

    /** Schedules an event after this many nanoseconds. */
    void after(long nanos, Runnable action) {
        events.add(new Event(now + nanos, scheduled++, action));
    }

    /** Advances the time; later events stay scheduled. */
    void runTo(long end) {
        for (Event next = events.peek(); next != null && next.at() <= end; next = events.peek()) {
            events.remove();
            now = next.at();
            next.action().run();
        }
        now = end;
    }
}
