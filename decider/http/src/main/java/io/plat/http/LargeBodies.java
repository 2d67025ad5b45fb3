package io.plat.http;

import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory that large bodies may take in one process, all together: however many requests may be underway, clients that send the
 * largest bodies at once must not exhaust the heap. For any number of threads.
 */
final class LargeBodies {
    /** What is made of a body while it is read, a tree of small values for instance, takes about so many times its bytes. */
    private static final int EXPANSION = 16;

    /** Half of the heap, in bytes of bodies. */
    static final LargeBodies OF_PROCESS = new LargeBodies(Runtime.getRuntime().maxMemory() / 2 / EXPANSION);

    static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many large request bodies at once, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 1));

    private final AtomicLong free;

    /** Room for so many bytes. */
    LargeBodies(long bytes) {
        this.free = new AtomicLong(bytes);
    }

    /** Takes room, if there is so much. */
    boolean take(long bytes) {
        if (free.addAndGet(-bytes) >= 0) {
            return true;
        }
        free.addAndGet(bytes);
        return false;
    }

    /** Gives room back that was taken. */
    void giveBack(long bytes) {
        free.addAndGet(bytes);
    }
}
