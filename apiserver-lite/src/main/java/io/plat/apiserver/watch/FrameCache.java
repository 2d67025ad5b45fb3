package io.plat.apiserver.watch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.apiserver.operations.WatchEvent;
import io.plat.apiserver.representation.Representation;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Cache of the frames of recent changes: a change is encoded once per representation, for all watches. Large frames are also shared by
 * watches that are starting or behind. Thread-safe.
 */
final class FrameCache {
    private static final int OVERHEAD = 128;

    /** Size from which frames are shared as long as a watch holds them, in bytes. */
    private static final int LARGE = 4096;

    private final Cache<FrameKey, byte[]> frames;
    private final Cache<FrameKey, byte[]> largeFrames =
            Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

    /** Key of a frame. The objects of one etcd transaction have the same revision. */
    private record FrameKey(
            ResourceType.Id type,
            String namespace,
            String name,
            long revision,
            WatchEvent.Type event,
            Representation form)
            implements Comparable<FrameKey> {
        private static final Comparator<FrameKey> ORDER = Comparator.comparingLong(FrameKey::revision)
                .thenComparing(FrameKey::namespace)
                .thenComparing(FrameKey::name);

        /** Compares the objects; each has only a few events and forms at a revision. */
        @Override
        public int compareTo(FrameKey other) {
            return ORDER.compare(this, other);
        }

        static FrameKey of(WatchEvent event, Representation form) {
            ServedObject object = event.object();
            return new FrameKey(
                    object.type().id(), object.namespace(), object.name(), object.revision(), event.type(), form);
        }
    }

    private static final class EncodingFailure extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final StatusException refusal;

        EncodingFailure(StatusException refusal) {
            super(refusal);
            this.refusal = refusal;
        }
    }

    FrameCache(long maxBytes) {
        this.frames = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .weigher((FrameKey key, byte[] frame) -> frame.length + OVERHEAD)
                .build();
    }

    /** Returns the frame of an event; shared, not to be modified. */
    byte[] frame(WatchEvent event, Representation form) throws StatusException {
        if (form.stateful()) {
            return encoded(event, form);
        }
        var key = FrameKey.of(event, form);
        // Frames for a single client would only evict shared ones.
        if (!event.change()) {
            return shared(key, event, form);
        }
        try {
            return frames.get(key, unknown -> {
                try {
                    return shared(key, event, form);
                } catch (StatusException e) {
                    throw new EncodingFailure(e);
                }
            });
        } catch (EncodingFailure e) {
            throw e.refusal;
        }
    }

    private byte[] shared(FrameKey key, WatchEvent event, Representation form) throws StatusException {
        byte @Nullable [] cached = largeFrames.getIfPresent(key);
        if (cached != null) {
            return cached;
        }
        byte[] frame = encoded(event, form);
        if (frame.length >= LARGE) {
            largeFrames.put(key, frame);
        }
        return frame;
    }

    private static byte[] encoded(WatchEvent event, Representation form) throws StatusException {
        return form.event(event.type().name(), event.object());
    }
}
