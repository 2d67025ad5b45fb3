package io.plat.apiserver.representation.binary;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Protobuf envelope of an object (specification, "Binary envelope"): a magic number of four bytes, then the message {@code Unknown}: the
 * object's type (1), its message (2), and its encoding (3) and content type (4), both omitted for the only supported values. Watch
 * events, whose objects are in envelopes, have no envelope themselves.
 */
public final class BinaryEnvelope {
    /** Media type in the specification. */
    public static final String MEDIA_TYPE = "application/vnd.platform.protobuf";

    public static final String KUBERNETES_MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

    private static final Set<String> CONTENT_TYPES = Set.of("", MEDIA_TYPE, KUBERNETES_MEDIA_TYPE);
    private static final byte[] PREFIX = {0x6b, 0x38, 0x73, 0x00};

    private static final int LENGTH_BYTES = 4;

    private static final MessagePlan ENVELOPE = strings("the envelope", 4);
    private static final MessagePlan TYPE = strings("the type", 2);

    private BinaryEnvelope() {}

    private static MessagePlan strings(String name, int fields) {
        var plan = new MessagePlan(name, ValueKind.MESSAGE);
        plan.define(
                IntStream.rangeClosed(1, fields)
                        .mapToObj(number -> FieldPlan.unnamed(number, ValueKind.STRING, null, -1))
                        .toList(),
                Map.of(),
                List.of());
        return plan;
    }

    /** Contents of an envelope: the object's type, and the position of its message. */
    record Content(TypeMeta type, int start, int end) {}

    static boolean hasPrefix(byte[] bytes, int start, int end) {
        return end - start >= PREFIX.length
                && Arrays.equals(bytes, start, start + PREFIX.length, PREFIX, 0, PREFIX.length);
    }

    /**
     * Returns the bytes that precede a message.
     *
     * @param messageLength length in bytes
     */
    static byte[] header(TypeMeta type, int messageLength) {
        int typeSize = CodedOutputStream.computeStringSize(1, type.apiVersion())
                + CodedOutputStream.computeStringSize(2, type.kind());
        int size = 2
                + CodedOutputStream.computeUInt32SizeNoTag(typeSize)
                + typeSize
                + CodedOutputStream.computeUInt32SizeNoTag(messageLength);
        byte[] header = written(PREFIX.length, size, out -> {
            out.writeTag(1, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(typeSize);
            out.writeString(1, type.apiVersion());
            out.writeString(2, type.kind());
            out.writeTag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(messageLength);
        });
        System.arraycopy(PREFIX, 0, header, 0, PREFIX.length);
        return header;
    }

    public static byte[] wrap(TypeMeta type, byte[] message) {
        byte[] header = header(type, message.length);
        byte[] envelope = Arrays.copyOf(header, Math.addExact(header.length, message.length));
        System.arraycopy(message, 0, envelope, header.length, message.length);
        return envelope;
    }

    /**
     * Returns a watch event as one frame of a stream: a big-endian length of four bytes and a message {@code WatchEvent} without
     * envelope.
     */
    public static byte[] watchFrame(String type, byte[] object) {
        int extension = CodedOutputStream.computeByteArraySize(1, object);
        int size = Math.addExact(
                CodedOutputStream.computeStringSize(1, type) + 1 + CodedOutputStream.computeUInt32SizeNoTag(extension),
                extension);
        byte[] frame = written(LENGTH_BYTES, size, out -> {
            out.writeString(1, type);
            out.writeTag(2, WireFormat.WIRETYPE_LENGTH_DELIMITED);
            out.writeUInt32NoTag(extension);
            out.writeByteArray(1, object);
        });
        ByteBuffer.wrap(frame).putInt(size);
        return frame;
    }

    interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    /** Writes fields of a known size, with space reserved before them. */
    static byte[] written(int room, int size, Fields fields) {
        var bytes = new byte[Math.addExact(room, size)];
        try {
            fields.write(CodedOutputStream.newInstance(bytes, room, size));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to an array failed", e);
        }
        return bytes;
    }

    /**
     * Parses an envelope.
     *
     * @throws StatusException 400 if it is malformed, 415 for an unsupported encoding or content type
     */
    static Content open(byte[] bytes, int start, int end) throws StatusException {
        if (!hasPrefix(bytes, start, end)) {
            throw new StatusException(
                    StatusReason.BAD_REQUEST,
                    start == end
                            ? "empty data"
                            : "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
        }
        var envelope = new ParsedFields(bytes);
        envelope.reset(ENVELOPE.size());
        envelope.read(ENVELOPE, start + PREFIX.length, end);
        refuseUnknown("content encoding", text(bytes, envelope, 2), Set.of(""));
        refuseUnknown("content type", text(bytes, envelope, 3), CONTENT_TYPES);
        var type = new ParsedFields(bytes);
        type.reset(TYPE.size());
        for (int piece = envelope.first(0); piece >= 0; piece = envelope.next(piece)) {
            type.read(TYPE, envelope.start(piece), envelope.end(piece));
        }
        int message = envelope.last(1);
        return new Content(
                new TypeMeta(text(bytes, type, 0), text(bytes, type, 1)),
                envelope.start(message),
                envelope.end(message));
    }

    private static String text(byte[] bytes, ParsedFields fields, int slot) throws StatusException {
        int start = fields.start(fields.last(slot));
        int end = fields.end(fields.last(slot));
        StrictJson.checkEncoding(bytes, start, end, "a string of the envelope");
        return new String(bytes, start, end - start, StandardCharsets.UTF_8);
    }

    private static void refuseUnknown(String what, String value, Set<String> known) throws StatusException {
        if (!known.contains(value)) {
            throw new StatusException(
                    StatusReason.UNSUPPORTED_MEDIA_TYPE,
                    "the binary object has the unknown " + what + " " + MalformedInput.quoted(value));
        }
    }
}
