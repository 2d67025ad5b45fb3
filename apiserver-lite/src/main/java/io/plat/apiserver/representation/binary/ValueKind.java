package io.plat.apiserver.representation.binary;

/** What the values of a field are, in JSON and on the wire. Those after {@link #BYTES} are messages that JSON writes otherwise. */
enum ValueKind {
    STRING(WireReader.BLOCK),
    INT32(WireReader.VARINT),
    INT64(WireReader.VARINT),
    BOOL(WireReader.VARINT),
    DOUBLE(WireReader.FIXED64),
    /** Base64 in JSON. */
    BYTES(WireReader.BLOCK),
    /** A message of one string, in JSON that string; also a bare number. */
    QUANTITY(WireReader.BLOCK),
    /** Seconds (and nanoseconds, which are not looked at); an empty message is no time. */
    TIME(WireReader.BLOCK),
    /** Seconds and nanoseconds, of which six digits count. */
    MICRO_TIME(WireReader.BLOCK),
    /** A discriminator, a number and a string; in JSON either of the latter. */
    INT_OR_STRING(WireReader.BLOCK),
    /** A message of the JSON text itself. */
    RAW_JSON(WireReader.BLOCK),
    /** A message of the JSON text itself, or of a whole object in its envelope. */
    EXTENSION(WireReader.BLOCK),
    /** A message of strings, in JSON their array. */
    STRINGS(WireReader.BLOCK),
    /** One schema or several, in JSON an object or an array of them. */
    SCHEMA_OR_SCHEMAS(WireReader.BLOCK),
    /** A schema or a switch, in JSON an object or a boolean. */
    SCHEMA_OR_BOOL(WireReader.BLOCK),
    /** A schema or strings, in JSON an object or an array of strings. */
    SCHEMA_OR_STRINGS(WireReader.BLOCK),
    /** A message with a plan, in JSON an object. */
    MESSAGE(WireReader.BLOCK);

    private final int wireType;

    ValueKind(int wireType) {
        this.wireType = wireType;
    }

    /** How a value stands on the wire. */
    int wireType() {
        return wireType;
    }

    /** Whether several values may stand in one block. */
    boolean packable() {
        return wireType != WireReader.BLOCK;
    }
}
