package io.plat.apiserver.memory;

import io.plat.http.FairLimit;
import io.plat.http.LargeBodyMemory;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Memory accounting of one request, beyond the bytes of its body: parsed trees, defaults, comparisons. Memory is charged in estimated
 * heap bytes before it is allocated. Each request has a limit (413), and beyond a small allowance so do all requests together (429).
 * Belongs to the thread that serves the request; code outside of requests has its own limits per operation.
 */
public final class RequestMemory {
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

    /** Minimum size of a body whose processing counts as computing, in bytes. */
    private static final int LARGE_BODY = 64 << 10;

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /**
     * Places for requests that compute for long: as many as processors, and one that a client alone leaves to others. Virtual threads do not
     * take turns, so that more of them would keep all other requests waiting.
     */
    private static final ComputingPlaces COMPUTING =
            new ComputingPlaces(Runtime.getRuntime().availableProcessors() + 1);

    private final @Nullable Supplier<String> client;

    /** Computing place that the request holds; null if none. */
    private @Nullable String computing;

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
            memory.computed();
            if (memory.share != null) {
                memory.share.leave();
            }
        }
    }

    /** Returns work of this request for another thread, which this thread waits for. */
    public <T> Callable<T> carry(Callable<T> work) {
        return () -> ScopedValue.where(CURRENT, this).call(work::call);
    }

    /**
     * Waits for a computing permit if a body is large, and holds it until {@link #computed}.
     *
     * @throws RequestLimitException if too many others are waiting
     */
    public void compute(int bodyBytes) {
        if (client == null || computing != null || bodyBytes < LARGE_BODY) {
            return;
        }
        String own = client.get();
        if (!COMPUTING.enter(own, PATIENCE)) {
            throw new RequestLimitException(LargeBodyMemory.refused());
        }
        computing = own;
    }

    /** Releases the computing permit: what remains is to send the response, at the client's speed. */
    public void computed() {
        if (computing != null) {
            COMPUTING.leave(computing);
            computing = null;
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
}
