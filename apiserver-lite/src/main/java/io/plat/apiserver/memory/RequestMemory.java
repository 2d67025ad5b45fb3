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

    /** Minimum size in bytes of data whose processing counts as a long computation, and size of what is processed in a turn. */
    public static final int LARGE = 64 << 10;

    private static final Duration SLOT_TIMEOUT = Duration.ofSeconds(10);

    /** Compute slots: one per processor, and one that a single client leaves to others. */
    private static final ComputeSlots COMPUTING =
            new ComputeSlots(Runtime.getRuntime().availableProcessors() + 1);

    private final @Nullable Supplier<String> client;

    /** Number of times that content is processed if it is written: parsed, merged, validated, encoded. */
    private static final int WRITE_PASSES = 4;

    /** True while the request can be served again from its beginning: until it has had an effect. */
    private boolean restartable;

    /** True while it takes turns on a platform thread. */
    private boolean takesTurns;

    /** Client whose compute slot it has for a turn; null for none. */
    private @Nullable String turnOf;

    /** Bytes that were processed since the beginning, or in the current turn. */
    private long processed;

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
     * Serves a request on a shared I/O thread, where it must not compute for long.
     *
     * @return null if it would; it has had no effect then, and has to be served {@link #inSlot}
     */
    public static <T> @Nullable T tryOnSharedThread(Work<T> request) throws StatusException {
        var memory = new RequestMemory(null);
        memory.restartable = true;
        try {
            return ScopedValue.where(CURRENT, memory).call(request::run);
        } catch (RestartError computes) {
            return null;
        }
    }

    /**
     * Starts a computation. Once those of a request are long together, it is served again in its turn if this is {@link #inSlot}'s first
     * attempt, and the request has had no {@link #effect}.
     *
     * @param bytes size of what is processed, which may be stored objects of the client's choice as well as its body
     */
    public void compute(long bytes) {
        processed += Math.min(bytes, LARGE);
        if (restartable && processed >= LARGE) {
            throw new RestartError();
        }
        if (takesTurns && (turnOf == null || processed >= LARGE)) {
            endTurn();
            String own = Objects.requireNonNull(client).get();
            // After the timeout it goes on: a part of the response was sent.
            turnOf = COMPUTING.acquire(own, SLOT_TIMEOUT) ? own : null;
        }
    }

    /**
     * Runs work that computes for long and waits in between, such as writing a long response: on a platform thread, and in turns of {@value
     * #LARGE} bytes, each with a compute slot.
     */
    public void inTurns(Work<Boolean> work) throws StatusException {
        takesTurns = client != null;
        try {
            onPlatformThread("computing", work);
        } finally {
            takesTurns = false;
            endTurn();
        }
    }

    /** Ends the turn, before the request waits. */
    public void endTurn() {
        processed = 0;
        if (turnOf != null) {
            COMPUTING.release(turnOf);
            turnOf = null;
        }
    }

    /** Starts a computation with content that is written: a body, or a stored object that is changed. */
    public void computeWrite(long bytes) {
        compute(WRITE_PASSES * bytes);
    }

    /** Reports an effect of the request, after which it is not served again. */
    public void effect() {
        restartable = false;
    }

    @Override
    public void computes() {
        compute(Long.MAX_VALUE);
    }

    /**
     * Ends the first attempt of a request that computes for long, before it has had an effect. An error, as CEL ignores some exceptions.
     */
    private static final class RestartError extends Error {
        private static final long serialVersionUID = 1L;

        RestartError() {
            super("computes for long", null, false, false);
        }
    }

    /**
     * Serves a request that may compute for long. If it does, it restarts on a platform thread once there is a compute slot for its client:
     * virtual threads are not time-sliced, so all other requests would wait.
     *
     * @throws RequestLimitException if too many others are waiting
     */
    public <T> T inSlot(Work<T> request) throws StatusException {
        restartable = client != null;
        try {
            return request.run();
        } catch (RestartError computes) {
            restartable = false;
            chargeOnce(0);
            hold(0);
            String own = Objects.requireNonNull(client).get();
            if (!COMPUTING.acquire(own, SLOT_TIMEOUT)) {
                throw new RequestLimitException(LargeBodyMemory.refused());
            }
            try {
                return onPlatformThread("computing", request);
            } finally {
                COMPUTING.release(own);
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
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case StatusException refused -> throw refused;
                case RequestLimitException limited -> throw limited;
                case null, default -> throw new IllegalStateException(name + " failed", e.getCause());
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

    private void require(long desired) {
        if (desired > MAX_BYTES) {
            throw new RequestLimitException(TOO_LARGE);
        }
        if (client != null && desired > ALLOWANCE + reserved) {
            FairLimit.Share own = share == null ? LargeBodyMemory.share(client.get(), null) : share;
            share = own;
            long more = (desired - ALLOWANCE - reserved + STEP - 1) / STEP * STEP;
            if (!own.grow(more)) {
                throw new RequestLimitException(LargeBodyMemory.refused());
            }
            reserved += more;
        }
    }

    /** Compute slots. A single client leaves one to others, and waiting clients take turns, regardless of their numbers of requests. Thread-safe. */
    static final class ComputeSlots {
        private final FairLimit slots;

        /** The requests that wait, by client; the client that is next comes first. */
        private final SequencedMap<String, Deque<Semaphore>> waiting = new LinkedHashMap<>();

        ComputeSlots(int slots) {
            this.slots = new FairLimit(slots);
        }

        /**
         * Waits for a slot; returns false after the timeout. Each successful call is followed by one {@link #release}.
         *
         * @param client key for fair sharing
         */
        boolean acquire(String client, Duration timeout) {
            var admission = new Semaphore(0);
            synchronized (this) {
                waiting.computeIfAbsent(client, any -> new ArrayDeque<>()).add(admission);
                admit();
            }
            try {
                if (admission.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
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

        /** Releases a slot of this client. */
        synchronized void release(String client) {
            slots.release(client);
            admit();
        }

        private void admit() {
            for (boolean admitted = true; admitted; ) {
                admitted = false;
                for (String client : List.copyOf(waiting.sequencedKeySet())) {
                    if (slots.tryAcquire(client)) {
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
