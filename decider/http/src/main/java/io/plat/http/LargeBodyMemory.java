package io.plat.http;

import io.plat.process.LogRateLimit;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Total memory of large bodies and unread responses of this process: clients that send large bodies concurrently, or do not read responses, must
 * neither exhaust the heap nor occupy all of it. Thread-safe.
 */
public final class LargeBodyMemory {
    private static final Logger LOG = LoggerFactory.getLogger(LargeBodyMemory.class);

    private static final LogRateLimit FULL = new LogRateLimit(System::nanoTime);

    /** Approximate ratio of memory to bytes of a body while it is read, for instance as a tree of small values. */
    static final int EXPANSION = 16;

    /** The limit: half of the heap, in bytes. */
    public static final long MEMORY = Runtime.getRuntime().maxMemory() / 2;

    private static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many large request bodies at once, please try again later")
            .withRetryAfter(1);

    static final FairLimit OF_PROCESS = FairLimit.leavingRoom(MEMORY);

    private LargeBodyMemory() {}

    /** Logs and returns the failure for lack of memory. */
    public static Status refused() {
        FULL.unlessRecent(() ->
                LOG.warn("memory for requests exhausted, new requests are answered 429: limit_mib={}", MEMORY >> 20));
        return REFUSED;
    }

    /**
     * Returns a share of the memory, in bytes of the heap.
     *
     * @param client the client's name
     * @param onWithdrawal aborts a body that has not arrived yet; null for one that is being processed
     */
    public static FairLimit.Share share(String client, @Nullable Runnable onWithdrawal) {
        return OF_PROCESS.share(client, onWithdrawal);
    }
}
