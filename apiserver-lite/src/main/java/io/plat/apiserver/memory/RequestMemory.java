package io.plat.apiserver.memory;

import io.plat.cel.CostBudget;
import io.plat.http.FairLimit;
import io.plat.http.LargeBodyMemory;
import io.plat.process.Tasks;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory accounting of one request, beyond the bytes of its body: parsed trees, defaults, comparisons. Memory is charged in estimated
 * heap bytes before it is allocated. Each request has a limit (413), and beyond a small allowance so do all requests together (429).
 * Belongs to the thread that serves the request; code outside of requests has its own limits per operation.
 */
public final class RequestMemory implements CostBudget.Resources {
    /** Allowance of every request; its total is bounded by the number of requests in flight. */
    private static final long ALLOWANCE = 256 << 10;

    /** Increment in which memory is taken from the shared pool, in bytes. */
    private static final long STEP = 256 << 10;

    /** The most that one request takes. */
    static final long MAX_BYTES = Math.min(LargeBodyMemory.MEMORY / 2, 128 << 20);

    private static final ScopedValue<RequestMemory> CURRENT = ScopedValue.newInstance();

    private static final Status TOO_LARGE = Status.of(
            StatusReason.REQUEST_ENTITY_TOO_LARGE,
            "the request is too large: it would take more than " + (MAX_BYTES >> 20) + " MiB of memory");

    /** Minimum size of what is read, sent or stored, from which processing it counts as computing, in bytes. */
    public static final int LARGE = 64 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** Places for requests that compute for long: as many as processors, and one that a client alone leaves to others. */
    private static final ComputingPlaces COMPUTING =
            new ComputingPlaces(Runtime.getRuntime().availableProcessors() + 1);

    private final @Nullable Supplier<String> client;

    /** True while the request can be served again from its beginning. */
    private boolean restartable;

    private FairLimit.@Nullable Share share;
    private long charged;
    private long once;
    private long held;
    private long reserved;

    private RequestMemory(@Nullable Supplier<String> client) {
        this.client = client;
    }

    /** Returns the memory of the current thread's request. */
    public static RequestMemory current() {
        return CURRENT.isBound() ? CURRENT.get() : new RequestMemory(null);
    }

    /**
     * Serves a request, and releases its memory afterwards.
     *
     * @param client returns the key of fair shares; called if the allowance is exceeded
     */
    public static void serving(Supplier<String> client, Runnable request) {
        var memory = new RequestMemory(client);
        try {
            ScopedValue.where(CURRENT, memory).run(request);
        } finally {
            if (memory.share != null) {
                memory.share.release();
            }
        }
    }

    /**
     * Serves a request on a thread that others wait for, so that it must not compute for long.
     *
     * @return null if it would; it has had no effect then, and has to be served {@link #inTurn}
     */
    public static <T> @Nullable T briefly(Work<T> request) throws StatusException {
        var memory = new RequestMemory(null);
        memory.restartable = true;
        try {
            return ScopedValue.where(CURRENT, memory).call(request::run);
        } catch (ComputesException computes) {
            return null;
        }
    }

    /**
     * Begins what computes for long if it is large: in {@link #inTurn}'s first attempt, the request is served again in its turn. To be called
     * before the request has had an effect.
     *
     * @param bytes size of what is processed, which may be stored objects of the client's choice as well as its body
     */
    public void compute(long bytes) {
        if (restartable && bytes >= LARGE) {
            throw new ComputesException();
        }
    }

    @Override
    public void computes() {
        compute(Long.MAX_VALUE);
    }

    /** Ends the first attempt of a request that computes for long, before it has had an effect. An error, as CEL ignores some exceptions. */
    private static final class ComputesException extends Error {
        private static final long serialVersionUID = 1L;

        ComputesException() {
            super("computes for long", null, false, false);
        }
    }

    /**
     * Serves a request of which it is not known whether it computes for long. One that does starts again on a platform thread, once there is
     * a place for its client: virtual threads do not take turns, so that all other requests would wait.
     *
     * @throws RequestLimitException if too many others are waiting
     */
    public <T> T inTurn(Work<T> request) throws StatusException {
        restartable = client != null;
        try {
            return request.run();
        } catch (ComputesException computes) {
            restartable = false;
            chargeOnce(0);
            hold(0);
            String own = Objects.requireNonNull(client).get();
            if (!COMPUTING.enter(own, PATIENCE)) {
                throw new RequestLimitException(LargeBodyMemory.refused());
            }
            try {
                return onPlatformThread("computing", request);
            } finally {
                COMPUTING.leave(own);
            }
        } finally {
            restartable = false;
        }
    }

    /**
     * Part of serving a request.
     *
     * @param <T> type of the result
     */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws StatusException;
    }

    /** Runs work of this request on a platform thread, and waits for it. */
    public <T> T onPlatformThread(String name, Work<T> work) throws StatusException {
        var result = new FutureTask<T>(() -> ScopedValue.where(CURRENT, this).call(work::run));
        Tasks.platform(name, result);
        try {
            return result.get();
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case StatusException refused -> throw refused;
                case RequestLimitException limited -> throw limited;
                case null, default -> throw new IllegalStateException(name + " failed", failed.getCause());
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new StatusException(StatusReason.SERVICE_UNAVAILABLE, "the server is stopping");
        }
    }

    /**
     * Charges memory until the request is complete.
     *
     * @throws RequestLimitException if it exceeds a limit
     */
    public void charge(long bytes) {
        require(charged + bytes + held);
        charged += bytes;
    }

    @Override
    public boolean take(long bytes) {
        try {
            charge(bytes);
            return true;
        } catch (RequestLimitException tooMuch) {
            return false;
        }
    }

    /**
     * Charges memory in place of the previous charge of this kind: for a retried operation.
     *
     * @throws RequestLimitException if it exceeds a limit
     */
    public void chargeOnce(long bytes) {
        require(charged - once + bytes + held);
        charged += bytes - once;
        once = bytes;
    }

    /**
     * Charges memory in place of the previous temporary value, as for the items of a list.
     *
     * @throws RequestLimitException if it exceeds a limit
     */
    public void hold(long bytes) {
        require(charged + bytes);
        held = bytes;
    }

    private void require(long wanted) {
        if (wanted > MAX_BYTES) {
            throw new RequestLimitException(TOO_LARGE);
        }
        if (client != null && wanted > ALLOWANCE + reserved) {
            FairLimit.Share own = share == null ? LargeBodyMemory.share(client.get(), null) : share;
            share = own;
            long more = (wanted - ALLOWANCE - reserved + STEP - 1) / STEP * STEP;
            if (!own.grow(more)) {
                throw new RequestLimitException(LargeBodyMemory.refused());
            }
            reserved += more;
        }
    }

    /**
     * Places for requests that compute for long. A client alone leaves one of them to others, and where several wait, they take turns, however
     * many requests of one of them wait. For any number of threads.
     */
    static final class ComputingPlaces {
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
            places.release(client);
            admit();
        }

        private void admit() {
            for (boolean admitted = true; admitted; ) {
                admitted = false;
                for (String client : List.copyOf(waiting.sequencedKeySet())) {
                    if (places.tryAcquire(client)) {
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
}
