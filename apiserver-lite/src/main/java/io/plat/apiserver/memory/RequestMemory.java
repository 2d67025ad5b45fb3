package io.plat.apiserver.memory;

import io.plat.cel.CostBudget;
import io.plat.http.FairLimit;
import io.plat.http.LargeBodyMemory;
import io.plat.process.Waiting;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory accounting of one request, beyond the bytes of its body: parsed trees, defaults, comparisons. Memory is charged in estimated
 * heap bytes before it is allocated. Each request has a limit (413), and beyond a small allowance so do all requests together (429).
 * Belongs to the thread that serves the request; code outside of requests has its own limits per operation.
 */
public final class RequestMemory implements CostBudget.Resources, Waiting.Turn {
    /** Allowance of every request; its total is bounded by the number of requests in flight. */
    private static final long ALLOWANCE = 256 << 10;

    /** Increment in which memory is taken from the shared pool, in bytes. */
    private static final long STEP = 256 << 10;

    /** Maximum memory of one request, in bytes. */
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

    /** True on a thread that is shared with other requests, where nothing may compute for long. */
    private final boolean shared;

    private final ComputeSlots slots;

    /** True once the request has had a turn or an effect: from then on it continues, without a slot if necessary. */
    private boolean begun;

    /** Client whose compute slot the request has for a turn; null for none. */
    private @Nullable String turnOf;

    /** Bytes that were processed since the beginning, or in the current turn. */
    private long processed;

    private FairLimit.@Nullable Share share;
    private long charged;
    private long once;
    private long held;
    private long reserved;

    private RequestMemory(@Nullable Supplier<String> client, boolean shared, ComputeSlots slots) {
        this.client = client;
        this.shared = shared;
        this.slots = slots;
    }

    public static RequestMemory current() {
        return CURRENT.isBound() ? CURRENT.get() : new RequestMemory(null, false, COMPUTING);
    }

    /**
     * Serves a request, and releases its memory afterwards.
     *
     * @param client returns the key of fair shares; called if the allowance is exceeded, and for a turn
     */
    public static void serving(Supplier<String> client, Runnable request) {
        serving(client, COMPUTING, request);
    }

    static void serving(Supplier<String> client, ComputeSlots slots, Runnable request) {
        var memory = new RequestMemory(client, false, slots);
        try {
            ScopedValue.where(CURRENT, memory).run(() -> Waiting.inTurn(memory, request));
        } finally {
            memory.pause();
            if (memory.share != null) {
                memory.share.release();
            }
        }
    }

    /**
     * Serves a request without effects on a shared I/O thread, where it must not compute for long.
     *
     * @return null if it would; it has to be served by {@link #serving} then
     */
    public static <T> @Nullable T tryOnSharedThread(Work<T> request) throws StatusException {
        try {
            return ScopedValue.where(CURRENT, new RequestMemory(null, true, COMPUTING))
                    .call(request::run);
        } catch (HandOverError computes) {
            return null;
        }
    }

    /**
     * Starts a computation. Once the computations of a request are long in total, it takes turns of {@value #LARGE} bytes, each with a
     * compute slot.
     *
     * @param bytes size of the processed data: the body, or stored objects, which a client can choose
     * @throws RequestLimitException if there is no slot in time for the first turn of a request without an effect
     */
    public void compute(long bytes) {
        processed += Math.min(bytes, LARGE);
        if (shared && processed >= LARGE) {
            throw new HandOverError();
        }
        if (client != null && (processed >= LARGE || (begun && turnOf == null))) {
            takeTurn(client.get());
        }
    }

    private void takeTurn(String own) {
        pause();
        if (slots.acquire(own, SLOT_TIMEOUT)) {
            turnOf = own;
            begun = true;
        } else if (!begun) {
            throw new RequestLimitException(LargeBodyMemory.refused());
        }
    }

    /** Starts a computation of unknown length. It is not refused: a policy may ignore the failure of an expression. */
    @Override
    public void computes() {
        begun = true;
        compute(LARGE);
    }

    /** Ends the turn before the request has an effect, such as a write or a part of its response, and waits for it. */
    public void endTurn() {
        begun = true;
        pause();
    }

    /** Ends the turn before the request waits; a later computation takes another one. */
    public void pause() {
        processed = 0;
        if (turnOf != null) {
            slots.release(turnOf);
            turnOf = null;
        }
    }

    @Override
    public boolean leave() {
        boolean computing = turnOf != null;
        pause();
        return computing;
    }

    @Override
    public void resume() {
        computes();
    }

    /** A request that computes for long leaves the shared thread. An error, as CEL ignores some exceptions. */
    private static final class HandOverError extends Error {
        private static final long serialVersionUID = 1L;

        HandOverError() {
            super("computes for long", null, false, false);
        }
    }

    /** Part of serving a request. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws StatusException;
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

    /**
     * Compute slots. A single client leaves one to others, and waiting clients take turns, regardless of their numbers of requests.
     * Thread-safe.
     */
    static final class ComputeSlots {
        private final FairLimit slots;

        /** The requests that wait, by client; the client that is next comes first. */
        private final SequencedMap<String, Deque<Semaphore>> waiting = new LinkedHashMap<>();

        ComputeSlots(int slots) {
            this.slots = new FairLimit(slots);
        }

        /**
         * Waits for a slot; returns false after the timeout. Each successful call is followed by one {@link #release}.
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
