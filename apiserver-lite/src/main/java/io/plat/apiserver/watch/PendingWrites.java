package io.plat.apiserver.watch;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Memory of frames that clients have not read yet, with a common limit for all watches. A frame that watches share counts once. Beyond the
 * limit, the watches that have waited longest are aborted. Thread-safe.
 */
final class PendingWrites {
    private final long limit;
    private final Map<Object, Pending> byWrite = new LinkedHashMap<>();
    private final IdentityHashMap<byte[], Integer> holders = new IdentityHashMap<>();
    private long bytes;

    private record Pending(List<byte[]> frames, Runnable abort) {}

    /** @param limit limit in bytes */
    PendingWrites(long limit) {
        this.limit = limit;
    }

    /**
     * Adds a write that waits for its client.
     *
     * @param abort aborts the watch; returns immediately
     */
    void add(Object write, List<byte[]> frames, Runnable abort) {
        List<Runnable> slowest = new ArrayList<>(0);
        synchronized (this) {
            byWrite.put(write, new Pending(frames, abort));
            frames.forEach(this::hold);
            while (bytes > limit) {
                Object oldest = byWrite.keySet().iterator().next();
                slowest.add(Objects.requireNonNull(remove(oldest)).abort());
            }
        }
        slowest.forEach(Runnable::run);
    }

    /** Removes a write, if it is present. */
    void end(Object write) {
        synchronized (this) {
            @Nullable Pending unused = remove(write);
        }
    }

    private @Nullable Pending remove(Object write) {
        @Nullable Pending pending = byWrite.remove(write);
        if (pending != null) {
            pending.frames().forEach(this::release);
        }
        return pending;
    }

    private void hold(byte[] frame) {
        if (holders.merge(frame, 1, Integer::sum) == 1) {
            bytes += frame.length;
        }
    }

    private void release(byte[] frame) {
        if (holders.merge(frame, -1, (held, less) -> held + less == 0 ? null : held + less) == null) {
            bytes -= frame.length;
        }
    }
}
