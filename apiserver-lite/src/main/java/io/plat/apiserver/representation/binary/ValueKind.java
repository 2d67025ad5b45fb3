package io.plat.apiserver.representation.binary;

import com.google.protobuf.WireFormat;

/** Form of a value in JSON and on the wire. Those after {@link #BYTES} are messages, most of which JSON writes in another form. */
enum ValueKind {
    STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    INT32(WireFormat.WIRETYPE_VARINT),
    INT64(WireFormat.WIRETYPE_VARINT),
    BOOL(WireFormat.WIRETYPE_VARINT),
    DOUBLE(WireFormat.WIRETYPE_FIXED64),
    /** Base64 in JSON. */
    BYTES(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message of one string; in JSON that string, or a bare number. */
    QUANTITY(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Seconds, and nanoseconds that are ignored; an empty message is no time. */
    TIME(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Seconds and nanoseconds, of which six digits count. */
    MICRO_TIME(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A discriminator, a number and a string; in JSON the number or the string. */
    INT_OR_STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message of the JSON text itself. */
    RAW_JSON(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message of the JSON text itself, or of a whole object in its envelope. */
    EXTENSION(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message of which JSON shows one field alone: an object, an array or a boolean. */
    UNION(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message whose fields JSON shows as those of the message around it. */
    INLINED(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** A message that is an object in JSON. */
    MESSAGE(WireFormat.WIRETYPE_LENGTH_DELIMITED);

    private final int wireType;

    ValueKind(int wireType) {
        this.wireType = wireType;
    }

    /** The wire type of a value. */
    int wireType() {
        return wireType;
    }
}
