package io.plat.apiserver.representation.binary;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * What every object in binary form stands in, after the specification's section "Binary envelope": four bytes that tell the
 * format, then the message {@code Unknown}: the object's type (1), its message (2), and how that is encoded (3) and
 * serialized (4), both left out for the only ways there are.
 */
public final class BinaryEnvelope {
    /** The media type of the binary form, as the specification names it. */
    public static final String MEDIA_TYPE = "application/vnd.platform.protobuf";

    /** The media type of the binary form, as existing servers and clients name it. */
    public static final String MEDIA_TYPE_OF_THE_FIELD = "application/vnd.kubernetes.protobuf";

    private static final Set<String> CONTENT_TYPES = Set.of("", MEDIA_TYPE, MEDIA_TYPE_OF_THE_FIELD);
    private static final byte[] PREFIX = {0x6b, 0x38, 0x73, 0x00};

    private static final int FIRST = WireReader.block(1);
    private static final int SECOND = WireReader.block(2);

    private BinaryEnvelope() {}

    /** What an envelope holds. */
    record Content(TypeMeta type, Stretch message) {}

    /** Whether bytes begin as an envelope does. */
    public static boolean begins(byte[] bytes) {
        return begins(bytes, 0, bytes.length);
    }

    static boolean begins(byte[] bytes, int start, int end) {
        return end - start >= PREFIX.length
                && Arrays.equals(bytes, start, start + PREFIX.length, PREFIX, 0, PREFIX.length);
    }

    /**
     * The bytes that stand before a message of a length: after them only the message itself has to be written.
     *
     * @param messageLength in bytes
     */
    public static byte[] header(TypeMeta type, int messageLength) {
        return header(type, messageLength, 0);
    }

    /** A header, with room behind it. */
    private static byte[] header(TypeMeta type, int messageLength, int room) {
        var fields = new WireWriter(type.apiVersion().length() + type.kind().length() + 32);
        fields.tag(FIRST);
        int typeMeta = fields.open();
        fields.tag(FIRST);
        fields.text(type.apiVersion());
        fields.tag(SECOND);
        fields.text(type.kind());
        fields.close(typeMeta);
        fields.tag(SECOND);
        fields.varint(messageLength);
        int size = PREFIX.length + fields.encodedSize();
        var header = new byte[Math.addExact(size, room)];
        System.arraycopy(PREFIX, 0, header, 0, PREFIX.length);
        fields.copyTo(header, PREFIX.length);
        return header;
    }

    /** A message in its envelope. */
    public static byte[] wrap(TypeMeta type, byte[] message) {
        byte[] whole = header(type, message.length, message.length);
        System.arraycopy(message, 0, whole, whole.length - message.length, message.length);
        return whole;
    }

    /** A message that was just written, in its envelope. */
    static byte[] wrap(TypeMeta type, WireWriter message) {
        int length = message.encodedSize();
        byte[] whole = header(type, length, length);
        message.copyTo(whole, whole.length - length);
        return whole;
    }

    /**
     * Looks into an envelope.
     *
     * @throws StatusException 400 where it is malformed, 415 where the message is encoded or serialized in an unknown way
     */
    static Content open(Stretch envelope) throws StatusException {
        byte[] bytes = envelope.bytes();
        if (!begins(bytes, envelope.start(), envelope.end())) {
            throw Malformed.binary("it does not begin with the four bytes of the format");
        }
        var reader = new WireReader(bytes);
        var locator = new Locator(reader);
        Occurrences found = locator.locate(
                "the envelope",
                envelope.start() + PREFIX.length,
                envelope.end(),
                WireReader.BLOCK,
                WireReader.BLOCK,
                WireReader.BLOCK,
                WireReader.BLOCK);
        refuseUnknown("content encoding", text(bytes, found, 3), Set.of(""));
        refuseUnknown("content type", text(bytes, found, 4), CONTENT_TYPES);
        int message = found.last(2);
        return new Content(
                type(bytes, locator, found),
                message < 0
                        ? new Stretch(bytes, envelope.end(), envelope.end())
                        : new Stretch(bytes, found.start(message), found.end(message)));
    }

    private static TypeMeta type(byte[] bytes, Locator locator, Occurrences envelope) throws StatusException {
        TypeMeta type = TypeMeta.UNKNOWN;
        for (int piece = envelope.first(1); piece >= 0; piece = envelope.next(piece)) {
            Occurrences found = locator.locate(
                    "the type", envelope.start(piece), envelope.end(piece), WireReader.BLOCK, WireReader.BLOCK);
            type = new TypeMeta(text(bytes, found, 1), text(bytes, found, 2)).orElse(type);
            locator.giveBack();
        }
        return type;
    }

    private static String text(byte[] bytes, Occurrences found, int slot) throws StatusException {
        int last = found.last(slot);
        if (last < 0) {
            return "";
        }
        int start = found.start(last);
        int end = found.end(last);
        if (!Utf8.valid(bytes, start, end)) {
            throw Malformed.binary("a string of the envelope is not UTF-8");
        }
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    private static void refuseUnknown(String what, String value, Set<String> known) throws StatusException {
        if (!known.contains(value)) {
            throw new StatusException(
                    StatusReason.UNSUPPORTED_MEDIA_TYPE,
                    "the binary object has the unknown " + what + " " + Malformed.quoted(value));
        }
    }
}
