package io.plat.client.remote;

import io.plat.client.remote.Reply.Kind;
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
 * Deciders behind one name or several. A request is sent to the less loaded of two random ones; if it fails, another is tried within the same
 * deadline. One that cannot be reached, or that refuses several requests in a row, is ejected until a probe succeeds. A response made under an outdated policy is discarded, and another
 * decider is tried. Names are resolved periodically. Thread-safe.
 */
public final class Deciders implements AutoCloseable {
    private static final Duration LOOKUP_INTERVAL = Duration.ofSeconds(10);

    /** Minimum interval of lookups after failures, which may mean that the name has other addresses. */
    private static final Duration MIN_LOOKUP_INTERVAL = Duration.ofMillis(500);

    /** Maximum number of addresses in use, as each has a stream and connections. */
    private static final int MAX_ADDRESSES = 64;

    /** Divisor of the remaining time for one attempt, which leaves time for others. */
    private static final int ATTEMPT_DIVISOR = 3;

    /** Divisor of the remaining time for a probe of an ejected decider. */
    private static final int PROBE_DIVISOR = 6;

    private final List<Endpoint> endpoints;
    private final Duration connectTimeout;
    private final Resolver resolver;
    private final Timing timing;
    private final RetryBudget budget;
    private final Deadlines deadlines;
    private final DeciderRevisions policies = new DeciderRevisions();
    private final HostProgram program;
    private final HostProgram.Loop lookups;
    private volatile List<DeciderAddress> all = List.of();
    private volatile boolean closed;
    private volatile Consumer<String> addressListener = address -> {};
    private final AtomicBoolean failed = new AtomicBoolean();
    private final CountDownLatch resolved = new CountDownLatch(1);
    private volatile long lastLookup = System.nanoTime() - LOOKUP_INTERVAL.toNanos();
    private boolean following;
    private boolean started;
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
        this.lookups = program.loop("webhook-addresses", true, this::lookUpWhenDue);
    }

    /** An address for one request. */
    private record Pick(DeciderAddress address, boolean isProbe, boolean last) {}

    /**
     * Enables the circuit breaker: while every decider is ejected, requests fail at once, except for one probe at a time. Must be called before the
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
    public <T> Reply<T> send(RequestType<T> type, byte[] body, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        long begin = timing.nanos().getAsLong();
        for (int attempt = 1; ; attempt++) {
            Duration remaining = atMost.minusNanos(timing.nanos().getAsLong() - begin);
            if (remaining.compareTo(Duration.ZERO) <= 0) {
                return new Reply.Failure<>(Kind.TIMED_OUT, "no answer in time");
            }
            Reply<T> reply = sendToEach(type, body, remaining, listener);
            if (!(reply instanceof Reply.Failure<T> failure) || !failure.isTemporary()) {
                return reply;
            }
            if (breaksCircuit
                    && all.stream().noneMatch(address -> address.health().isAvailable())) {
                return reply;
            }
            Duration backoff = timing.backoff().after(attempt, timing.random());
            Duration wait = backoff.compareTo(failure.notBefore()) < 0 ? failure.notBefore() : backoff;
            boolean inTime = wait.compareTo(atMost.minusNanos(timing.nanos().getAsLong() - begin)) < 0;
            if (attempt == timing.backoff().attempts() || !inTime || !budget.tryAcquire()) {
                return reply;
            }
            timing.pause().during(wait);
        }
    }

    private <T> Reply<T> sendToEach(RequestType<T> type, byte[] body, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        if (closed) {
            return new Reply.Failure<>(Kind.FAILED, "the client is closed");
        }
        long begin = System.nanoTime();
        boolean known = isResolved(atMost);
        List<DeciderAddress> addresses = all;
        if (addresses.isEmpty()) {
            requestLookup();
            String reason = known ? "unknown host" : "no address in time";
            return new Reply.Failure<>(Kind.DOWN, reason);
        }
        budget.recordRequest();
        List<DeciderAddress> untried = new ArrayList<>(addresses);
        Reply<T> reply = null;
        boolean refused = false;
        while (true) {
            Duration remaining = atMost.minusNanos(System.nanoTime() - begin);
            if (reply != null && !(remaining.compareTo(Duration.ZERO) > 0 && budget.tryAcquire())) {
                return reply;
            }
            Pick pick = pick(untried);
            if (breaksCircuit && !pick.isProbe() && !pick.address().health().isAvailable()) {
                return reply != null
                        ? reply
                        : new Reply.Failure<>(Kind.FAILED, "all deciders are unavailable; the next attempt is pending");
            }
            reply = roundTrip(pick, type, body, timeLimit(pick, remaining), listener);
            if (reply instanceof Reply.Answered<T> answered) {
                pick.address().answered(policies.answered(pick.address(), answered.revision()));
            }
            if (isOutdated(reply)) {
                reply = new Reply.Failure<>(
                        Kind.BUSY, "the decider at " + pick.address().label() + " decides by an outdated policy");
                // A request decided under an outdated revision is retried, possibly on the same decider.
                if (addresses.size() == 1) {
                    return reply;
                }
            } else if (addresses.size() > 1 && reply instanceof Reply.Failure<T> failure) {
                reply = failure.at(pick.address().label());
            }
            if (!(reply instanceof Reply.Failure<T> failure)) {
                return reply;
            }
            untried.remove(pick.address());
            if (failure.kind() != Kind.FAILED) {
                requestLookup();
            } else if (refused) {
                return reply;
            } else {
                refused = true;
            }
            if (untried.isEmpty()) {
                return reply;
            }
        }
    }

    private void requestLookup() {
        if (failed.compareAndSet(false, true)) {
            lookups.signal();
        }
    }

    private Pick pick(List<DeciderAddress> untried) {
        boolean last = untried.size() == 1;
        List<DeciderAddress> current = new ArrayList<>(untried.size());
        List<DeciderAddress> outdated = new ArrayList<>();
        for (DeciderAddress address : untried) {
            if (address.health().isAvailable()) {
                (policies.isOutdated(address) ? outdated : current).add(address);
            } else if (!last && address.health().beginProbe()) {
                return new Pick(address, true, false);
            }
        }
        // An outdated decider may have caught up. If none responds, any may be used.
        List<DeciderAddress> best = !current.isEmpty() ? current : !outdated.isEmpty() ? outdated : untried;
        DeciderAddress chosen = lessLoaded(best, DeciderAddress::load, timing.random());
        return new Pick(chosen, chosen.health().beginProbe(), last);
    }

    /**
     * Picks the less loaded of two random candidates: nearly as even as picking the least loaded of all, on which all clients would converge.
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

    private static Duration timeLimit(Pick pick, Duration remaining) {
        return pick.last() ? remaining : remaining.dividedBy(pick.isProbe() ? PROBE_DIVISOR : ATTEMPT_DIVISOR);
    }

    private boolean isReplaceable(DeciderAddress address) {
        return all.stream().anyMatch(other -> other != address && other.health().isAvailable());
    }

    private <T> Reply<T> roundTrip(Pick pick, RequestType<T> type, byte[] body, Duration atMost, RoundTrips listener)
            throws InterruptedException {
        long begin = System.nanoTime();
        RoundTrips.Result result = RoundTrips.Result.CANCELED;
        try {
            Reply<T> reply =
                    pick.address().send(type, body, atMost, pick.isProbe(), () -> isReplaceable(pick.address()));
            result = !(reply instanceof Reply.Failure<T> failure)
                    ? RoundTrips.Result.SUCCESS
                    : failure.kind() == Kind.TIMED_OUT ? RoundTrips.Result.TIMEOUT : RoundTrips.Result.ERROR;
            return reply;
        } finally {
            listener.ended(result, System.nanoTime() - begin);
        }
    }

    /** Waits for the first lookup; returns whether it finished in time. */
    private boolean isResolved(Duration atMost) throws InterruptedException {
        if (!all.isEmpty()) {
            return true;
        }
        startLookups();
        return resolved.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    private Duration lookUpWhenDue() {
        Duration remaining =
                (failed.get() ? MIN_LOOKUP_INTERVAL : LOOKUP_INTERVAL).minusNanos(System.nanoTime() - lastLookup);
        if (remaining.compareTo(Duration.ZERO) > 0) {
            return remaining;
        }
        lookUp();
        lastLookup = System.nanoTime();
        failed.set(false);
        return LOOKUP_INTERVAL;
    }

    /**
     * One address of one endpoint.
     *
     * @param endpoint its index in the list
     */
    record Target(int endpoint, InetAddress address) {}

    /** Resolves the names. Addresses of a name that cannot be resolved remain unchanged. */
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
        targets.stream().limit(MAX_ADDRESSES).forEach(target -> {
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
        ConnectionPool connections = new ConnectionPool(endpoint, target.address(), connectTimeout);
        AddressHealth health = new AddressHealth(AddressHealth.Timing.usual(System::nanoTime, timing.random()));
        String host = target.address().getHostAddress();
        String label =
                endpoints.size() == 1 ? host : host + ":" + endpoint.url().getPort();
        DeciderAddress added = new DeciderAddress(target, label, endpoint, connections, deadlines, health);
        if (following) {
            added.follow(policies.of(added), program);
        }
        addressListener.accept(label);
        return added;
    }

    /** Starts following the revisions of each decider. Must be called once; names are resolved on a separate thread. */
    public synchronized void follow(DeciderRevisionListener listener) {
        policies.listen(listener);
        policies.whenUnavailable(this::requestLookup);
        following = true;
        all.forEach(address -> address.follow(policies.of(address), program));
        startLookups();
    }

    /** Starts resolving names periodically. */
    private synchronized void startLookups() {
        if (!started && !closed) {
            started = true;
            lookups.start();
        }
    }

    /** Returns whether the revision stream of at least one decider is connected. */
    public boolean isConnected() {
        return policies.isConnected();
    }

    /** Sets the listener for addresses, which is called for current ones and for each new one. */
    public synchronized void onAddress(Consumer<String> listener) {
        addressListener = listener;
        all.forEach(address -> listener.accept(address.label()));
    }

    /** Returns whether an address is in use. */
    public boolean isAvailable(String address) {
        return all.stream()
                .anyMatch(
                        known -> known.label().equals(address) && known.health().isAvailable());
    }

    /** Closes all connections; requests in progress fail. */
    @Override
    public synchronized void close() {
        closed = true;
        resolved.countDown();
        lookups.close();
        all.forEach(DeciderAddress::close);
        deadlines.close();
    }
}
