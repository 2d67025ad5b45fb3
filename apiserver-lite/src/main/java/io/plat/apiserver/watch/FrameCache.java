package io.plat.apiserver.watch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.WatchEvent;
import io.plat.review.status.StatusException;

/**
 * The frames of recent changes: a change is written in a form for the first watch that sends it, however many do. For any number
 * of threads.
 */
final class FrameCache {
    private static final int OVERHEAD = 128;

    private final Cache<Sent, byte[]> frames;

    /** A change has one revision, and one watch sends it in one way. */
    private record Sent(ResourceType.Id type, WatchEvent.Type event, long revision, Representation form) {}

    /** Carries a refusal through the cache. */
    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final StatusException refusal;

        Refused(StatusException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }

    /**
     * @param mostBytes how many bytes of frames to keep
     */
    FrameCache(long mostBytes) {
        this.frames = Caffeine.newBuilder()
                .maximumWeight(mostBytes)
                .weigher((Sent sent, byte[] frame) -> frame.length + OVERHEAD)
                .build();
    }

    /**
     * The frame of an event; shared, not to be changed.
     *
     * @throws StatusException if the object can't be shown in this form
     */
    byte[] frame(WatchEvent event, Representation form) throws StatusException {
        // What is sent once, or differently each time, would only evict what is sent to many.
        if (!event.change() || form.stateful()) {
            return encoded(event, form);
        }
        ResourceType.Id type = event.object().type().id();
        try {
            return frames.get(new Sent(type, event.type(), event.object().revision(), form), sent -> {
                try {
                    return encoded(event, form);
                } catch (StatusException e) {
                    throw new Refused(e);
                }
            });
        } catch (Refused e) {
            throw e.refusal;
        }
    }

    private static byte[] encoded(WatchEvent event, Representation form) throws StatusException {
        return form.event(event.type().name(), event.object());
    }
}
