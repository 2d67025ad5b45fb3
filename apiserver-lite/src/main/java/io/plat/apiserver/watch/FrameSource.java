package io.plat.apiserver.watch;

import io.plat.apiserver.operations.ObjectWatch;
import io.plat.apiserver.operations.WatchEvent;
import io.plat.apiserver.representation.Representation;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/** Frames of one watch, in bounded portions. Not thread-safe. */
final class FrameSource {
    /** Size of a TLS record: more bytes at once would only wait. */
    private static final int BYTES = 16 * 1024;

    private static final int CHANGES_PER_POLL = 64;
    private static final int POLLS = 32;

    /** Time after which a turn ends, in nanoseconds. */
    private static final long TURN = Duration.ofMillis(5).toNanos();

    private final ObjectWatch watch;
    private final WatchRequest request;
    private final FrameCache cache;
    private List<WatchEvent> found = List.of();
    private int sent;

    /** Frame of the next event, if it is known. */
    private byte @Nullable [] next;

    FrameSource(ObjectWatch watch, WatchRequest request, FrameCache cache) {
        this.watch = watch;
        this.request = request;
        this.cache = cache;
    }

    /**
     * Next portion: one frame, and others that fit into {@value #BYTES} bytes together.
     *
     * @param frames frames in order; may be empty
     * @param next time of the next call
     * @param bookmarked whether the due bookmark is among them
     */
    record Portion(List<byte[]> frames, Next next, boolean bookmarked) {}

    enum Next {
        IMMEDIATELY,
        ON_SIGNAL,
        NEVER
    }

    /**
     * Returns the next portion. Examines a bounded number of objects and changes, for a bounded time, so that no watch delays the others.
     */
    Portion next(boolean bookmarkDue) {
        var frames = new ArrayList<byte[]>(1);
        int polls = 0;
        long begin = NanoTime.now();
        for (int bytes = 0; bytes < BYTES && polls < POLLS && NanoTime.since(begin) < TURN; ) {
            if (sent < found.size()) {
                try {
                    byte[] frame = next == null ? cache.frame(found.get(sent), form()) : next;
                    next = frame;
                    if (bytes > 0 && bytes + frame.length > BYTES) {
                        break;
                    }
                    frames.add(frame);
                    bytes += frame.length;
                    next = null;
                    sent++;
                } catch (StatusException refused) {
                    // An event that cannot be encoded must not be omitted silently: the client restarts.
                    frames.add(form().statusEvent(refused.status()));
                    return new Portion(frames, Next.NEVER, false);
                }
            } else {
                polls++;
                @Nullable Portion end = poll(frames, bookmarkDue);
                if (end != null) {
                    return end;
                }
            }
        }
        return new Portion(frames, Next.IMMEDIATELY, false);
    }

    /** Polls the watch; returns the portion if there are no more events. */
    private @Nullable Portion poll(List<byte[]> frames, boolean bookmarkDue) {
        switch (watch.poll(CHANGES_PER_POLL)) {
            case ObjectWatch.Portion.Events events -> {
                found = events.events();
                sent = 0;
                return null;
            }
            case ObjectWatch.Portion.InitialEnd end -> {
                if (request.options().bookmarks()) {
                    frames.add(form().bookmark(watch.type(), end.revision(), true));
                }
                return null;
            }
            case ObjectWatch.Portion.Idle idle -> {
                if (bookmarkDue) {
                    frames.add(form().bookmark(watch.type(), idle.revision(), false));
                }
                return new Portion(frames, Next.ON_SIGNAL, bookmarkDue);
            }
            case ObjectWatch.Portion.Ended ended -> {
                frames.add(form().statusEvent(ended.status()));
                return new Portion(frames, Next.NEVER, false);
            }
        }
    }

    private Representation form() {
        return request.form();
    }

    void close() {
        found = List.of();
        sent = 0;
        next = null;
        watch.close();
    }
}
