package io.plat.apiserver.representation;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.representation.binary.BinaryEnvelope;
import io.plat.apiserver.representation.binary.BinaryForm;
import io.plat.apiserver.representation.binary.BinaryForms;
import io.plat.apiserver.representation.binary.BinaryList;
import io.plat.apiserver.representation.binary.TypeMeta;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Protobuf envelope (specification, "Binary envelope"), under either of its media types. Messages of stored objects are encoded
 * once and cached by identity of the stored state, within a memory limit.
 */
final class EnvelopeRepresentation extends Representation {
    /** Envelope under the media type of the specification. */
    static final EnvelopeRepresentation PLATFORM = new EnvelopeRepresentation(BinaryEnvelope.MEDIA_TYPE);

    /** Envelope under the media type of Kubernetes. */
    static final EnvelopeRepresentation KUBERNETES = new EnvelopeRepresentation(BinaryEnvelope.KUBERNETES_MEDIA_TYPE);

    /** Maximum size of cached messages and the stored states that they retain, in bytes. */
    private static final long MAX_BYTES = 32L << 20;

    /** Divisor of the heap size that limits the cache as well. */
    private static final int PART_OF_HEAP = 8;

    /** Overhead of a cached message, in bytes. */
    private static final int OVERHEAD = 128;

    /** Created when the first client requests an envelope, which many servers never see. */
    private static final class Lazy {
        static final Cache<State, byte[]> MESSAGES = Caffeine.newBuilder()
                .maximumWeight(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP))
                .weigher((State state, byte[] message) -> message.length + state.object.storedSize() + OVERHEAD)
                .build();
    }

    private final String mediaType;

    private EnvelopeRepresentation(String mediaType) {
        this.mediaType = mediaType;
    }

    /** State of an object in one version of its type; compared by identity of the stored state. */
    private record State(ServedObject object) {
        @Override
        public boolean equals(Object other) {
            return other instanceof State state && state.object.sameAs(object);
        }

        @Override
        public int hashCode() {
            return object.stateHash();
        }
    }

    static boolean encodes(TypeMeta type) {
        return BinaryForms.builtIn().knows(type);
    }

    private static BinaryForm form(TypeMeta type) {
        return BinaryForms.builtIn()
                .find(type)
                .orElseThrow(() -> new IllegalStateException("no binary form of " + type));
    }

    /** Returns an object's message without envelope; shared, not to be modified. */
    static byte[] message(ServedObject object) throws StatusException {
        State state = new State(object);
        byte[] message = Lazy.MESSAGES.getIfPresent(state);
        if (message == null) {
            message = form(Representation.typeOf(object.type())).message(object.json());
            Lazy.MESSAGES.put(state, message);
        }
        return message;
    }

    /**
     * Returns the message of an object that has been encoded before: retained by the cache if at all, not by each list that contains it.
     */
    private static byte[] again(ServedObject object) {
        try {
            return message(object);
        } catch (StatusException e) {
            throw new IllegalStateException("the object had a binary form", e);
        }
    }

    @Override
    public String contentType() {
        return mediaType;
    }

    @Override
    public String streamContentType() {
        return mediaType + ";stream=watch";
    }

    @Override
    public byte[] document(TypeMeta type, byte[] json) throws StatusException {
        return form(type).envelope(json);
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return BinaryEnvelope.wrap(Representation.typeOf(object.type()), message(object));
    }

    @Override
    public Body list(ServedList list) throws StatusException {
        List<ServedObject> items = list.items();
        int[] sizes = new int[items.size()];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = message(items.get(i)).length;
        }
        RequestMemory.current().hold(IntStream.of(sizes).max().orElse(0));
        byte[] metadata = BinaryList.metadata(
                Long.toString(list.revision()),
                list.continueToken(),
                list.remaining().orElse(-1));
        BinaryList binary = new BinaryList(
                new TypeMeta(list.type().apiVersion(), list.type().kind() + "List"),
                metadata,
                sizes,
                i -> again(items.get(i)));
        return Body.of(binary.size(), binary::writeTo);
    }

    @Override
    byte[] frame(String event, byte[] encoded) {
        return BinaryEnvelope.watchFrame(event, encoded);
    }
}
