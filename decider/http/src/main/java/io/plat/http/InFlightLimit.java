package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limit of concurrent requests ({@code --max-requests-inflight}). Requests beyond it are answered {@link #REFUSED} at once and are not queued.
 * Thread-safe.
 */
public final class InFlightLimit {
    /** 429, and to try again in a second. */
    public static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many requests in flight, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 1));

    private final int limit;
    private final AtomicInteger inside = new AtomicInteger();

    /**
     * A limit of its own count.
     *
     * @param limit the largest number of requests; 0 is no limit
     */
    public InFlightLimit(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("negative limit");
        }
        this.limit = limit;
    }

    /** Enters, or returns false if the limit is reached. Every successful call must be followed by exactly one {@link #leave}. */
    public boolean tryEnter() {
        int now = inside.incrementAndGet();
        if (limit > 0 && now > limit) {
            inside.decrementAndGet();
            return false;
        }
        return true;
    }

    /** Leaves. */
    public void leave() {
        inside.decrementAndGet();
    }

    /** Requests inside now. */
    public int inside() {
        return inside.get();
    }
}
