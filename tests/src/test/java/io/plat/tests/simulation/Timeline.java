package io.plat.tests.simulation;

import java.time.Duration;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/** Simulated time, in nanoseconds: what is to happen, in its order. Two events of one moment happen as they were planned. Of one thread. */
final class Timeline {
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final RandomGenerator random;
    private long now;
    private long planned;

    private record Event(long at, long order, Runnable what) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** At moment 0. Everything that is random comes from the seed. */
    Timeline(long seed) {
        random = RandomGeneratorFactory.of("Xoroshiro128PlusPlus").create(seed);
    }

    long now() {
        return now;
    }

    RandomGenerator random() {
        return random;
    }

    /** A time with this mean, as between events that know nothing of each other; in nanoseconds. */
    long drawn(double meanNanos) {
        return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
    }

    /** {@link #drawn(double)} around this mean. */
    long drawn(Duration mean) {
        return drawn((double) mean.toNanos());
    }

    /** Has something happen so many nanoseconds from now. */
    void after(long nanos, Runnable what) {
        events.add(new Event(now + nanos, planned++, what));
    }

    /** Lets time pass to a moment; what is planned for later stays planned. */
    void runTo(long end) {
        for (Event next = events.peek(); next != null && next.at() <= end; next = events.peek()) {
            events.remove();
            now = next.at();
            next.what().run();
        }
        now = end;
    }
}
