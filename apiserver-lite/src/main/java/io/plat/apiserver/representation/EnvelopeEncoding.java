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
 * The binary envelope (specification, "Binary envelope"), under either of its names. The messages of stored objects are encoded once
 * however many read them: they are cached by the identity of the stored state, within a bound of memory.
 */
final class EnvelopeEncoding implements Encoding {
    /** As the specification names it. */
    static final EnvelopeEncoding PLATFORM = new EnvelopeEncoding(BinaryEnvelope.MEDIA_TYPE);

    /** As existing clients name it. */
    static final EnvelopeEncoding OF_THE_FIELD = new EnvelopeEncoding(BinaryEnvelope.MEDIA_TYPE_OF_THE_FIELD);

    /** The most bytes that messages, and the stored states that they keep alive, may take. */
    private static final long MAX_BYTES = 32L << 20;

    /** And at most this part of the heap. */
    private static final int PART_OF_HEAP = 8;

    /** Bytes of a cached message beside its content. */
    private static final int OVERHEAD = 128;

    private final String mediaType;

    private EnvelopeEncoding(String mediaType) {
        this.mediaType = mediaType;
    }

    /** Made when the first client asks for the binary form: many servers never see one. */
    private static final class Lazy {
        static final Cache<State, byte[]> MESSAGES = Caffeine.newBuilder()
                .maximumWeight(Math.min(MAX_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP))
                .weigher((State state, byte[] message) -> message.length + state.object.storedSize() + OVERHEAD)
                .build();
    }

    /** One state of an object as one version of its type shows it; what is stored is compared by identity. */
    private static final class State {
        final ServedObject object;

        State(ServedObject object) {
            this.object = object;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof State state && state.object.sameAs(object);
        }

        @Override
        public int hashCode() {
            return object.stateHash();
        }
    }

    /** Whether a type has this form. */
    static boolean encodes(TypeMeta type) {
        return BinaryForms.builtIn().knows(type);
    }

    private static BinaryForm form(TypeMeta type) {
        return BinaryForms.builtIn()
                .find(type)
                .orElseThrow(() -> new IllegalStateException("no binary form of " + type));
    }

    /** An object's message, without an envelope; shared, not to be changed. */
    static byte[] message(ServedObject object) throws StatusException {
        State state = new State(object);
        byte[] message = Lazy.MESSAGES.getIfPresent(state);
        if (message == null) {
            message = form(typeOf(object)).message(object.json());
            Lazy.MESSAGES.put(state, message);
        }
        return message;
    }

    /** The message of an object that has been encoded before: kept by the cache if at all, not by each list that shows it. */
    private static byte[] again(ServedObject object) {
        try {
            return message(object);
        } catch (StatusException e) {
            throw new IllegalStateException("the object had a binary form", e);
        }
    }

    private static TypeMeta typeOf(ServedObject object) {
        return new TypeMeta(object.type().apiVersion(), object.type().kind());
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
    public byte[] encode(TypeMeta type, byte[] json) throws StatusException {
        return form(type).envelope(json);
    }

    @Override
    public byte[] object(ServedObject object) throws StatusException {
        return BinaryEnvelope.wrap(typeOf(object), message(object));
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
    public byte[] frame(String event, byte[] encoded) {
        return BinaryEnvelope.watchFrame(event, encoded);
    }
}
