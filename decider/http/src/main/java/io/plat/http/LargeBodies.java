package io.plat.http;

import io.plat.http.lines.Quiet;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that large bodies may take in one process, all together: however many requests may be underway, clients that send the
 * largest bodies at once must not exhaust the heap. For any number of threads.
 */
public final class LargeBodies {
    private static final Logger LOG = LoggerFactory.getLogger(LargeBodies.class);

    private static final Quiet FULL = new Quiet(System::nanoTime);

    /** What is made of a body while it is read, a tree of small values for instance, takes about so many times its bytes. */
    private static final int EXPANSION = 16;

    /** The memory of all of them in this process: half of the heap, in bytes. */
    public static final long MEMORY = Runtime.getRuntime().maxMemory() / 2;

    /** That memory, in bytes of bodies. */
    static final LargeBodies OF_PROCESS = new LargeBodies(MEMORY / EXPANSION);

    /** The answer where there is not enough memory. */
    public static final Status REFUSED = Status.of(
                    StatusReason.TOO_MANY_REQUESTS, "too many large request bodies at once, please try again later")
            .withDetails(new Status.Details("", "", "", "", List.of(), 1));

    private final AtomicLong free;

    /** Room for so many bytes. */
    LargeBodies(long bytes) {
        this.free = new AtomicLong(bytes);
    }

    /** Reserves memory of the process beside that of the bodies themselves, if there is so much. */
    public static boolean reserve(long memory) {
        return OF_PROCESS.take(memory / EXPANSION);
    }

    /** Releases memory that was {@linkplain #reserve reserved}. */
    public static void release(long memory) {
        OF_PROCESS.giveBack(memory / EXPANSION);
    }

    /** Takes room, if there is so much. */
    boolean take(long bytes) {
        if (free.addAndGet(-bytes) >= 0) {
            return true;
        }
        free.addAndGet(bytes);
        FULL.unlessRecent(() ->
                LOG.warn("memory for requests exhausted, answering further ones with 429: limit={} MiB", MEMORY >> 20));
        return false;
    }

    /** Gives room back that was taken. */
    void giveBack(long bytes) {
        free.addAndGet(bytes);
    }
}
