package io.plat.apiserver.memory;

import io.plat.http.FairLimit;
import io.plat.http.LargeBodyMemory;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one request beside the bytes of its body: trees that are read from it, what completes them, what is compared with
 * them. It is charged before it is taken, in estimated bytes of the heap. Each request is bounded (413), and above a small allowance all
 * requests together are (429). Belongs to the thread that serves the request; code outside of requests has a bound of its own for each
 * operation.
 */
public final class RequestMemory {
    /** Every request may take this much; bounded by the number of requests in flight. */
    private static final long ALLOWANCE = 256 << 10;

    /** The amount that is taken from the shared memory at a time, in bytes. */
    private static final long STEP = 256 << 10;

    /** The most that one request takes. */
    static final long MOST = Math.min(LargeBodyMemory.MEMORY / 2, 128 << 20);

    private static final ScopedValue<RequestMemory> CURRENT = ScopedValue.newInstance();

    private static final Status TOO_LARGE = Status.of(
            StatusReason.REQUEST_ENTITY_TOO_LARGE,
            "the request is too large: it would take more than " + (MOST >> 20) + " MiB of memory");

    /** The size from which on the handling of a body takes a place among those that compute, in bytes. */
    private static final int LARGE_BODY = 64 << 10;

    private static final long PATIENCE_SECONDS = 10;

    /**
     * Places for requests that compute for long: as many as processors. Virtual threads do not take turns, so that more of them would keep
     * all other requests waiting.
     */
    private static final Semaphore COMPUTING =
            new Semaphore(Runtime.getRuntime().availableProcessors(), true);

    private final @Nullable Supplier<String> client;
    private boolean computing;
    private FairLimit.@Nullable Share share;
    private long charged;
    private long once;
    private long held;
    private long reserved;

    private RequestMemory(@Nullable Supplier<String> client) {
        this.client = client;
    }

    /** The memory of the request that this thread serves. */
    public static RequestMemory current() {
        return CURRENT.isBound() ? CURRENT.get() : new RequestMemory(null);
    }

    /**
     * Serves a request; all that it was charged is free afterwards.
     *
     * @param client the name that shares are counted by, known when more than the allowance is taken
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

    /**
     * Waits for its turn where a body has arrived that takes long to handle, and keeps the place until {@link #computed}.
     *
     * @throws RequestLimitException if too many others compute
     */
    public void compute(int bodyBytes) {
        if (client == null || computing || bodyBytes < LARGE_BODY) {
            return;
        }
        try {
            computing = COMPUTING.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!computing) {
            throw new RequestLimitException(LargeBodyMemory.refused());
        }
    }

    /** The answer is known: what is left is to write it, at the speed of its client. */
    public void computed() {
        if (computing) {
            computing = false;
            COMPUTING.release();
        }
    }

    /**
     * Charges memory until the request is answered.
     *
     * @throws RequestLimitException if it is too much
     */
    public void charge(long bytes) {
        require(charged + bytes + held);
        charged += bytes;
    }

    /**
     * Charges memory in place of what was charged once before: for work that begins again.
     *
     * @throws RequestLimitException if it is too much
     */
    public void chargeOnce(long bytes) {
        require(charged - once + bytes + held);
        charged += bytes - once;
        once = bytes;
    }

    /**
     * Charges memory in place of what was held before: for values that are needed one after the other, as in lists.
     *
     * @throws RequestLimitException if it is too much
     */
    public void hold(long bytes) {
        require(charged + bytes);
        held = bytes;
    }

    private void require(long wanted) {
        if (wanted > MOST) {
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
