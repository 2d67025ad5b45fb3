package io.plat.client.remote;

import io.plat.client.remote.RemoteDecider.Subject;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * All deciders behind one name, or several. A request is sent to the less loaded of two that are picked at random; if it fails, another is tried
 * within the same deadline, and the failed one is ejected until a probe succeeds. A response made under an outdated policy is discarded, and another
 * decider is tried. Names are resolved periodically. Thread-safe.
 */
public final class Deciders implements AutoCloseable {
    private static final Duration LOOK_UP_EVERY = Duration.ofSeconds(10);

    /** Minimum interval of lookups after failures, which may mean that the name has other addresses. */
    private static final Duration NOT_BEFORE = Duration.ofMillis(500);

    /** Maximum number of addresses in use, as each has a stream and connections. */
    private static final int MAX = 64;

    /** Divisor of the remaining time for one attempt, so that there is time for another one. */
    private static final int PART = 3;

    /** Divisor for a decider that failed before. */
    private static final int PART_OF_PROBE = 6;

    private final List<Endpoint> endpoints;
    private final Duration connectTimeout;
    private final Resolver resolver;
    private final Timing timing;
    private final RetryBudget budget;
    private final Deadlines deadlines;
    private final DeciderRevisions policies = new DeciderRevisions();
    private final HostProgram program;
    private final HostProgram.Loop lookUps;
    private volatile List<DeciderAddress> all = List.of();
    private volatile boolean closed;
    private volatile Consumer<String> newAddresses = address -> {};
    private final AtomicBoolean failed = new AtomicBoolean();
    private final CountDownLatch resolved = new CountDownLatch(1);
    private volatile long lookedUp = System.nanoTime() - LOOK_UP_EVERY.toNanos();
    private boolean following;
    private boolean begun;
    private boolean breaksCircuit;

    /**
     * Clock, random numbers and delays of the attempts.
     *
     * @param backoff delays between rounds in which every decider was tried
     * @param nanos a monotonic clock
     * @param random supplies numbers from 0 to 1
     * @param pause waits on the calling thread
     */
    public record Timing(Backoff backoff, LongSupplier nanos, DoubleSupplier random, Pause pause) {
        public static final Timing REAL = new Timing(
                Backoff.DEFAULT,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextDouble(),
                time -> Thread.sleep(time.toMillis()));
    }

    /** Waits on the calling thread. */
    @FunctionalInterface
    public interface Pause {
        /**
         * Waits on the calling thread.
         *
         * @throws InterruptedException if the thread is interrupted
         */
        void during(Duration time) throws InterruptedException;
    }

    /** Resolver of a name. */
    @FunctionalInterface
    public interface Resolver {
        /** Resolves names like the JVM; a result is cached for {@code networkaddress.cache.ttl}. */
        Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

        /**
         * Returns the current addresses.
         *
         * @throws UnknownHostException if there are none
         */
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    /**
     * Creates a client without connecting.
     *
     * @param endpoints endpoints with the same policy, at least one
     */
    public Deciders(
            List<Endpoint> endpoints, Duration connectTimeout, Resolver resolver, Timing timing, HostProgram program) {
        this.endpoints = List.copyOf(endpoints);
        this.program = program;
        this.deadlines = new Deadlines(program);
        this.connectTimeout = connectTimeout;
        this.resolver = resolver;
        this.timing = timing;
        this.budget = new RetryBudget(System::nanoTime);
        this.lookUps = program.loop("webhook-addresses", true, this::lookUpWhenDue);
    }

    /** An address for one request. */
    private record Pick(DeciderAddress address, boolean isProbe, boolean last) {}

    /**
     * Enables the circuit breaker: while every decider is ejected, requests fail at once, except for one probe at a time. To be called before the
     * first request.
     */
    public void breakCircuit() {
        breaksCircuit = true;
    }

    /** Returns whether a response was made under an outdated policy. */
    private boolean isOutdated(Reply<?> reply) {
        return reply instanceof Reply.Answered<?> answered && !policies.isCurrent(answered.revision());
    }

    /**
     * Tries all deciders until one answers; if none is available, retries after a delay, within the backoff's number of attempts, the budget and the
     * time limit.
     *
     * @param atMost total time limit
     * @param listener listener for each round trip
     */
    public <T> Reply<T> ask(Subject<T> subject, byte[] question, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        long begin = timing.nanos().getAsLong();
        for (int attempt = 1; ; attempt++) {
            Duration remaining = atMost.minusNanos(timing.nanos().getAsLong() - begin);
            if (remaining.compareTo(Duration.ZERO) <= 0) {
                return new Reply.TimedOut<>("no answer in time");
            }
            Reply<T> reply = askEach(subject, question, remaining, listener);
            if (!(reply instanceof Reply.Unavailable<T> unavailable)) {
                return reply;
            }
            Duration notBefore = unavailable.notBefore();
            if (breaksCircuit
                    && all.stream().noneMatch(address -> address.health().isAvailable())) {
                return reply;
            }
            Duration backoff = timing.backoff().after(attempt, timing.random());
            Duration wait = backoff.compareTo(notBefore) < 0 ? notBefore : backoff;
            boolean inTime = wait.compareTo(atMost.minusNanos(timing.nanos().getAsLong() - begin)) < 0;
            if (attempt == timing.backoff().attempts() || !inTime || !budget.retry()) {
                return reply;
            }
            timing.pause().during(wait);
        }
    }

    private <T> Reply<T> askEach(Subject<T> subject, byte[] question, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        if (closed) {
            return new Reply.Failed<>("the client is closed");
        }
        long begin = System.nanoTime();
        boolean known = isResolved(atMost);
        List<DeciderAddress> addresses = all;
        if (addresses.isEmpty()) {
            lookUpSoon();
            String reason = known ? "unknown host" : "no address in time";
            return new Reply.Unavailable<>(reason, Duration.ZERO, true);
        }
        budget.recordRequest();
        List<DeciderAddress> untried = new ArrayList<>(addresses);
        Reply<T> reply = null;
        while (true) {
            Duration remaining = atMost.minusNanos(System.nanoTime() - begin);
            if (reply != null && !(remaining.compareTo(Duration.ZERO) > 0 && budget.retry())) {
                return reply;
            }
            Pick pick = pick(untried);
            if (breaksCircuit && !pick.isProbe() && !pick.address().health().isAvailable()) {
                return reply != null
                        ? reply
                        : new Reply.Failed<>("all deciders are unavailable; the next attempt is pending");
            }
            reply = roundTrip(pick, subject, question, share(pick, remaining), listener);
            if (reply instanceof Reply.Answered<T> answered) {
                pick.address().answered(policies.answered(pick.address(), answered.revision()));
            }
            if (isOutdated(reply)) {
                reply = outdated(pick);
                // A request decided under an outdated revision is retried, possibly on the same decider.
                if (addresses.size() == 1) {
                    return reply;
                }
            } else if (addresses.size() > 1) {
                reply = naming(pick, reply);
            }
            if (reply instanceof Reply.Answered<T> || reply instanceof Reply.Failed<T>) {
                return reply;
            }
            untried.remove(pick.address());
            lookUpSoon();
            if (untried.isEmpty()) {
                return reply;
            }
        }
    }

    private void lookUpSoon() {
        if (failed.compareAndSet(false, true)) {
            lookUps.signal();
        }
    }

    private Pick pick(List<DeciderAddress> untried) {
        boolean last = untried.size() == 1;
        List<DeciderAddress> in = new ArrayList<>(untried.size());
        List<DeciderAddress> behind = new ArrayList<>();
        for (DeciderAddress address : untried) {
            if (address.health().isAvailable()) {
                (policies.isBehind(address) ? behind : in).add(address);
            } else if (!last && address.health().beginProbe()) {
                return new Pick(address, true, false);
            }
        }
        // An outdated decider may have caught up. If none responds, any may be used.
        List<DeciderAddress> best = !in.isEmpty() ? in : !behind.isEmpty() ? behind : untried;
        DeciderAddress chosen = lessLoaded(best, DeciderAddress::load, timing.random());
        return new Pick(chosen, chosen.health().beginProbe(), last);
    }

    /**
     * Picks the less loaded of two random candidates: nearly as even as comparing all, without overloading the idlest.
     *
     * @param candidates at least one
     * @param load the load of each
     * @param random supplies numbers from 0 to 1, exclusive
     */
    static <A> A lessLoaded(List<A> candidates, ToDoubleFunction<A> load, DoubleSupplier random) {
        int count = candidates.size();
        if (count == 1) {
            return candidates.get(0);
        }
        int first = draw(count, random);
        int second = draw(count - 1, random);
        A one = candidates.get(first);
        A other = candidates.get(second < first ? second : second + 1);
        return load.applyAsDouble(other) < load.applyAsDouble(one) ? other : one;
    }

    private static int draw(int count, DoubleSupplier random) {
        return Math.min(count - 1, (int) (count * random.getAsDouble()));
    }

    private static Duration share(Pick pick, Duration remaining) {
        if (pick.last()) {
            return remaining;
        }
        return remaining.dividedBy(pick.isProbe() ? PART_OF_PROBE : PART);
    }

    private static <T> Reply<T> roundTrip(
            Pick pick, Subject<T> subject, byte[] question, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        long begin = System.nanoTime();
        RoundTrips.Result result = RoundTrips.Result.CANCELED;
        try {
            Reply<T> reply = pick.address().ask(subject, question, atMost, pick.isProbe());
            result = reply instanceof Reply.Answered<T>
                    ? RoundTrips.Result.SUCCESS
                    : reply instanceof Reply.TimedOut<T> ? RoundTrips.Result.TIMEOUT : RoundTrips.Result.ERROR;
            return reply;
        } finally {
            listener.ended(result, System.nanoTime() - begin);
        }
    }

    private static <T> Reply<T> outdated(Pick pick) {
        return new Reply.Unavailable<>(
                "the decider at " + label(pick.address()) + " decides by an outdated policy", Duration.ZERO, false);
    }

    /** Adds the address to a failure. */
    private static <T> Reply<T> naming(Pick pick, Reply<T> reply) {
        String at = label(pick.address()) + ": ";
        if (reply instanceof Reply.Unavailable<T> unavailable) {
            return new Reply.Unavailable<>(at + unavailable.reason(), unavailable.notBefore(), unavailable.down());
        }
        if (reply instanceof Reply.Unusable<T> unusable) {
            return new Reply.Unusable<>(at + unusable.reason());
        }
        if (reply instanceof Reply.Failed<T> failure) {
            return new Reply.Failed<>(at + failure.reason());
        }
        return reply instanceof Reply.TimedOut<T> late ? new Reply.TimedOut<>(at + late.reason()) : reply;
    }

    private static String label(DeciderAddress address) {
        return address.label();
    }

    /** Returns whether the names have been looked up; the first requests wait for that. */
    private boolean isResolved(Duration atMost) throws InterruptedException {
        if (!all.isEmpty()) {
            return true;
        }
        begin();
        return resolved.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Duration lookUpWhenDue() {
        Duration remaining = (failed.get() ? NOT_BEFORE : LOOK_UP_EVERY).minusNanos(System.nanoTime() - lookedUp);
        if (remaining.compareTo(Duration.ZERO) > 0) {
            return remaining;
        }
        lookUp();
        lookedUp = System.nanoTime();
        failed.set(false);
        return LOOK_UP_EVERY;
    }

    /**
     * One address of one endpoint.
     *
     * @param endpoint its index in the list
     */
    record Target(int endpoint, InetAddress address) {}

    /** Resolves the names. Addresses of a name that can't be resolved remain unchanged. */
    public void lookUp() {
        Set<Target> targets = new LinkedHashSet<>();
        for (int i = 0; i < endpoints.size(); i++) {
            String host = endpoints.get(i).url().getHost();
            try {
                for (InetAddress address : resolver.addresses(host)) {
                    targets.add(new Target(i, address));
                }
            } catch (UnknownHostException unknown) {
                program.log(System.Logger.Level.DEBUG, host + " has no address");
                int unresolved = i;
                all.stream()
                        .map(DeciderAddress::target)
                        .filter(known -> known.endpoint() == unresolved)
                        .forEach(targets::add);
            }
        }
        if (!targets.isEmpty()) {
            use(targets);
        }
        resolved.countDown();
    }

    private synchronized void use(Set<Target> targets) {
        if (closed) {
            return;
        }
        Map<Target, DeciderAddress> removed = new LinkedHashMap<>();
        all.forEach(address -> removed.put(address.target(), address));
        List<DeciderAddress> next = new ArrayList<>();
        targets.stream().limit(MAX).forEach(target -> {
            @Nullable DeciderAddress known = removed.remove(target);
            next.add(known == null ? added(target) : known);
        });
        all = List.copyOf(next);
        for (DeciderAddress address : removed.values()) {
            address.retire();
            policies.forget(address);
        }
    }

    private DeciderAddress added(Target target) {
        Endpoint endpoint = endpoints.get(target.endpoint());
        RemoteDecider remote = new RemoteDecider(endpoint, target.address(), connectTimeout, deadlines, program);
        AddressHealth health = new AddressHealth(AddressHealth.Timing.usual(System::nanoTime, timing.random()));
        String host = target.address().getHostAddress();
        String label =
                endpoints.size() == 1 ? host : host + ":" + endpoint.url().getPort();
        DeciderAddress added = new DeciderAddress(target, label, remote, health);
        if (following) {
            added.follow(policies.of(added));
        }
        newAddresses.accept(label);
        return added;
    }

    /** Starts following the revisions of each decider. To be called once; names are resolved on a separate thread. */
    public synchronized void follow(DeciderRevisionListener listener) {
        policies.listen(listener);
        policies.whenUnavailable(this::lookUpSoon);
        following = true;
        all.forEach(address -> address.follow(policies.of(address)));
        begin();
    }

    /** Starts resolving names periodically. */
    private synchronized void begin() {
        if (!begun && !closed) {
            begun = true;
            lookUps.start();
        }
    }

    /** Returns whether at least one decider sends its revisions. */
    public boolean isConnected() {
        return policies.isConnected();
    }

    /** Sets the listener for addresses, which is called for current ones and for each new one. */
    public synchronized void onAddress(Consumer<String> listener) {
        newAddresses = listener;
        all.forEach(address -> listener.accept(label(address)));
    }

    /** Returns whether an address is in use. */
    public boolean isAvailable(String address) {
        return all.stream()
                .anyMatch(
                        known -> label(known).equals(address) && known.health().isAvailable());
    }

    /** Closes all connections; requests in progress fail. */
    @Override
    public synchronized void close() {
        closed = true;
        resolved.countDown();
        lookUps.close();
        all.forEach(DeciderAddress::close);
        deadlines.close();
    }
}
