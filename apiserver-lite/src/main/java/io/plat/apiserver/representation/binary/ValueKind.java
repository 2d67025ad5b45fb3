package io.plat.apiserver.representation.binary;

import com.google.protobuf.WireFormat;

/** Form of a value in JSON and protobuf. Those after {@link #BYTES} are messages, most of which have another form in JSON. */
enum ValueKind {
    STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    INT32(WireFormat.WIRETYPE_VARINT),
    INT64(WireFormat.WIRETYPE_VARINT),
    BOOL(WireFormat.WIRETYPE_VARINT),
    DOUBLE(WireFormat.WIRETYPE_FIXED64),
    /** Base64 in JSON. */
    BYTES(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message with one string; in JSON a string, or a number. */
    QUANTITY(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Seconds, and nanoseconds that are ignored; an empty message is null. */
    TIME(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Seconds and nanoseconds, to the microsecond. */
    MICRO_TIME(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Discriminator, number and string; in JSON the number or the string. */
    INT_OR_STRING(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message with JSON text. */
    RAW_JSON(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message with JSON text, or a whole object in its envelope. */
    EXTENSION(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message of which JSON has one field only: an object, an array or a boolean. */
    UNION(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message whose fields are inlined in JSON. */
    INLINED(WireFormat.WIRETYPE_LENGTH_DELIMITED),
    /** Message that is an object in JSON. */
    MESSAGE(WireFormat.WIRETYPE_LENGTH_DELIMITED);

    private final int wireType;

    ValueKind(int wireType) {
        this.wireType = wireType;
    }

    int wireType() {
        return wireType;
    }
}
