package io.plat.apiserver.watch;

import io.plat.apiserver.operations.ObjectWatch;
import io.plat.apiserver.operations.WatchEvent;
import io.plat.apiserver.representation.Representation;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The frames of one watch, in bounded portions. Not for several threads at a time. */
final class FrameSource {
    /** The size of a TLS record: more bytes at once would only wait. */
    private static final int BYTES = 16 * 1024;

    private static final int CHANGES_A_POLL = 64;
    private static final int POLLS = 32;

    private final ObjectWatch watch;
    private final WatchRequest request;
    private final FrameCache cache;
    private List<WatchEvent> found = List.of();
    private int sent;

    /** The frame of the event that is to be sent, where it is known. */
    private byte @Nullable [] next;

    /**
     * Frames of what a watch finds.
     *
     * @param cache the frames that others were sent
     */
    FrameSource(ObjectWatch watch, WatchRequest request, FrameCache cache) {
        this.watch = watch;
        this.request = request;
        this.cache = cache;
    }

    /**
     * What goes out next: one frame, and further ones that fit into {@value #BYTES} bytes with it.
     *
     * @param frames in order; may be none
     * @param next whether and when to ask again
     * @param bookmarked whether the bookmark that was due is among them
     */
    record Portion(List<byte[]> frames, Next next, boolean bookmarked) {}

    /** When there is more. */
    enum Next {
        AT_ONCE,
        AFTER_THE_SIGNAL,
        NEVER
    }

    /**
     * The next portion. Looks at a bounded number of objects and changes, so that one watch never keeps the others waiting.
     *
     * @param bookmarkDue whether to send how far the watch has come, once it has nothing else to send
     */
    Portion next(boolean bookmarkDue) {
        var frames = new ArrayList<byte[]>(1);
        int polls = 0;
        for (int bytes = 0; bytes < BYTES && polls < POLLS; ) {
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
                    // What can't be shown must not be left out in silence: the client begins anew.
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
        return new Portion(frames, Next.AT_ONCE, false);
    }

    /** Looks for more; the portion if there is none. */
    private @Nullable Portion poll(List<byte[]> frames, boolean bookmarkDue) {
        switch (watch.poll(CHANGES_A_POLL)) {
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
                return new Portion(frames, Next.AFTER_THE_SIGNAL, bookmarkDue);
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

    /** Ends the watch behind it. */
    void close() {
        found = List.of();
        sent = 0;
        next = null;
        watch.close();
    }
}
