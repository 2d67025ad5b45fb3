package io.plat.apiserver.representation.binary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.review.status.StatusException;
import java.io.IOException;

/** Writes single values of a message as JSON, special types in their own forms. */
final class ValueDecoder {
    private static final double EXACT = 1e15;

    /** How long a null is at most; one among more spaces is shown as it is. */
    private static final int MAX_NULL = 32;

    private final byte[] bytes;
    private final WireReader reader;
    private final Locator locator;
    private final JsonGenerator out;
    private final MessageDecoder messages;
    private final byte[] time = new byte[32];

    ValueDecoder(byte[] bytes, WireReader reader, Locator locator, JsonGenerator out, MessageDecoder messages) {
        this.bytes = bytes;
        this.reader = reader;
        this.locator = locator;
        this.out = out;
        this.messages = messages;
    }

    /** Whether a value is what its absence would also be. */
    boolean isZero(ValueKind kind, int start, int end) throws StatusException {
        return switch (kind) {
            case STRING, BYTES, TIME, MICRO_TIME -> start == end;
            case INT64 -> number(start, end) == 0;
            case INT32 -> (int) number(start, end) == 0;
            case BOOL -> number(start, end) == 0;
            case DOUBLE -> real(start, end) == 0;
            case INT_OR_STRING -> noIntOrString(start, end);
            case RAW_JSON, EXTENSION -> rawNull(start, end);
            case QUANTITY, STRINGS, SCHEMA_OR_SCHEMAS, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS, MESSAGE -> false;
        };
    }

    /** Writes the value of a field, or an element, that the wire leaves out. */
    void zero(FieldPlan field) throws IOException, StatusException {
        switch (field.kind()) {
            case STRING, BYTES -> out.writeString("");
            case INT32, INT64, DOUBLE, INT_OR_STRING -> out.writeNumber(0);
            case BOOL -> out.writeBoolean(false);
            case QUANTITY -> out.writeString("0");
            case TIME, MICRO_TIME, RAW_JSON, EXTENSION -> out.writeNull();
            case STRINGS, SCHEMA_OR_SCHEMAS, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS, MESSAGE -> write(field, 0, 0);
        }
    }

    /** Writes a value. */
    void write(FieldPlan field, int start, int end) throws IOException, StatusException {
        switch (field.kind()) {
            case STRING -> text(start, end);
            case INT32 -> out.writeNumber((int) number(start, end));
            case INT64 -> out.writeNumber(number(start, end));
            case BOOL -> out.writeBoolean(number(start, end) != 0);
            case DOUBLE -> writeReal(real(start, end));
            case BYTES -> out.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, bytes, start, end - start);
            case QUANTITY -> quantity(start, end);
            case TIME -> time(start, end, false);
            case MICRO_TIME -> time(start, end, true);
            case INT_OR_STRING -> intOrString(start, end);
            case RAW_JSON -> raw(start, end, false);
            case EXTENSION -> raw(start, end, true);
            case STRINGS -> {
                Occurrences found = locator.locate("a list of strings", start, end, WireReader.BLOCK);
                strings(found, found.first(1));
            }
            case SCHEMA_OR_SCHEMAS -> schemaOrSchemas(field.plan(), start, end);
            case SCHEMA_OR_BOOL -> schemaOrBool(field.plan(), start, end);
            case SCHEMA_OR_STRINGS -> schemaOrStrings(field.plan(), start, end);
            case MESSAGE -> messages.message(field.plan(), start, end);
        }
    }

    private long number(int start, int end) throws StatusException {
        reader.go(start, end);
        return reader.varint();
    }

    private double real(int start, int end) throws StatusException {
        reader.go(start, end);
        return Double.longBitsToDouble(reader.fixed64());
    }

    /** Writes whole numbers without a fraction, as servers do. */
    private void writeReal(double value) throws IOException, StatusException {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw Malformed.binary("a number is not finite");
        }
        if (value == Math.rint(value) && Math.abs(value) < EXACT) {
            out.writeNumber((long) value);
        } else {
            out.writeNumber(value);
        }
    }

    private void text(int start, int end) throws IOException, StatusException {
        if (!Utf8.valid(bytes, start, end)) {
            throw Malformed.binary("a string is not UTF-8");
        }
        out.writeUTF8String(bytes, start, end - start);
    }

    private void quantity(int start, int end) throws IOException, StatusException {
        Occurrences found = locator.locate("a quantity", start, end, WireReader.BLOCK);
        int last = found.last(1);
        if (last < 0) {
            out.writeString("0");
        } else if (Quantities.valid(bytes, found.start(last), found.end(last))) {
            out.writeRawUTF8String(bytes, found.start(last), found.end(last) - found.start(last));
        } else {
            throw Malformed.binary("a quantity is not a number with a known suffix");
        }
        locator.giveBack();
    }

    private void time(int start, int end, boolean withMicros) throws IOException, StatusException {
        if (start == end) {
            out.writeNull();
            return;
        }
        Occurrences found = locator.locate("a time", start, end, WireReader.VARINT, WireReader.VARINT);
        long seconds = last(found, 1);
        int nanos = (int) last(found, 2);
        locator.giveBack();
        if (!Timestamps.writable(seconds) || nanos < 0 || nanos > 999_999_999) {
            throw Malformed.binary("a time lies outside the years 1 to 9999 or has no valid fraction");
        }
        out.writeRawUTF8String(time, 0, Timestamps.write(seconds, nanos / 1_000, withMicros, time));
    }

    private long last(Occurrences found, int slot) throws StatusException {
        int last = found.last(slot);
        return last < 0 ? 0 : number(found.start(last), found.end(last));
    }

    private Occurrences intOrStringParts(int start, int end) throws StatusException {
        return locator.locate(
                "an integer or string", start, end, WireReader.VARINT, WireReader.VARINT, WireReader.BLOCK);
    }

    private boolean noIntOrString(int start, int end) throws StatusException {
        Occurrences found = intOrStringParts(start, end);
        boolean none = last(found, 1) == 0 && (int) last(found, 2) == 0;
        locator.giveBack();
        return none;
    }

    private void intOrString(int start, int end) throws IOException, StatusException {
        Occurrences found = intOrStringParts(start, end);
        long type = last(found, 1);
        int string = found.last(3);
        if (type == 0) {
            out.writeNumber((int) last(found, 2));
        } else if (type != 1) {
            throw Malformed.binary("an integer or string is neither");
        } else if (string < 0) {
            out.writeString("");
        } else {
            text(found.start(string), found.end(string));
        }
        locator.giveBack();
    }

    /** Whether a raw value is nothing, or the JSON text of nothing. */
    private boolean rawNull(int start, int end) throws StatusException {
        Occurrences found = locator.locate("a raw value", start, end, WireReader.BLOCK);
        int last = found.last(1);
        boolean nothing =
                last < 0 || found.start(last) == found.end(last) || isNull(found.start(last), found.end(last));
        locator.giveBack();
        return nothing;
    }

    private boolean isNull(int start, int end) {
        return end - start < MAX_NULL
                && new String(bytes, start, end - start, ISO_8859_1).strip().equals("null");
    }

    private void raw(int start, int end, boolean mayBeEnveloped) throws IOException, StatusException {
        Occurrences found = locator.locate("a raw value", start, end, WireReader.BLOCK);
        int last = found.last(1);
        int from = last < 0 ? 0 : found.start(last);
        int to = last < 0 ? 0 : found.end(last);
        if (from == to) {
            out.writeNull();
        } else if (mayBeEnveloped && BinaryEnvelope.begins(bytes, from, to)) {
            messages.enveloped(from, to);
        } else {
            json(from, to);
        }
        locator.giveBack();
    }

    /** Copies JSON text, which has to be one whole value; what it says stays, how it is laid out does not. */
    private void json(int start, int end) throws IOException, StatusException {
        if (!Utf8.valid(bytes, start, end)) {
            throw Malformed.binary("a raw value is not UTF-8");
        }
        try (JsonParser parser = JsonText.FACTORY.createParser(bytes, start, end - start)) {
            int open = 0;
            do {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw Malformed.binary("a raw value ends too early");
                }
                open += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (open > messages.depthLeft()) {
                    throw Malformed.binary("it is nested deeper than " + JsonText.MAX_DEPTH);
                }
                out.copyCurrentEventExact(parser);
            } while (open > 0);
            if (parser.nextToken() != null) {
                throw Malformed.binary("a raw value is more than one value");
            }
        } catch (JsonProcessingException e) {
            throw JsonText.fault(e);
        } catch (NumberFormatException e) {
            // The parser's word for an exponent that no number of this machine can have.
            throw Malformed.binary("a raw value holds a number that is out of range");
        }
    }

    /** Writes strings, and gives back where they were found. */
    private void strings(Occurrences found, int first) throws IOException, StatusException {
        out.writeStartArray();
        for (int string = first; string >= 0; string = found.next(string)) {
            text(found.start(string), found.end(string));
        }
        out.writeEndArray();
        locator.giveBack();
    }

    private void schemaOrSchemas(MessagePlan schema, int start, int end) throws IOException, StatusException {
        Occurrences found = locator.locate("schemas", start, end, WireReader.BLOCK, WireReader.BLOCK);
        int single = found.last(1);
        if (single >= 0 && found.first(2) < 0) {
            messages.message(schema, found.start(single), found.end(single));
        } else {
            out.writeStartArray();
            for (int each = found.first(2); each >= 0; each = found.next(each)) {
                messages.message(schema, found.start(each), found.end(each));
            }
            out.writeEndArray();
        }
        locator.giveBack();
    }

    private void schemaOrBool(MessagePlan schema, int start, int end) throws IOException, StatusException {
        Occurrences found = locator.locate("a schema or switch", start, end, WireReader.VARINT, WireReader.BLOCK);
        int single = found.last(2);
        if (single >= 0) {
            messages.message(schema, found.start(single), found.end(single));
        } else {
            out.writeBoolean(last(found, 1) != 0);
        }
        locator.giveBack();
    }

    private void schemaOrStrings(MessagePlan schema, int start, int end) throws IOException, StatusException {
        Occurrences found = locator.locate("a schema or strings", start, end, WireReader.BLOCK, WireReader.BLOCK);
        int single = found.last(1);
        if (single >= 0 && found.first(2) < 0) {
            messages.message(schema, found.start(single), found.end(single));
            locator.giveBack();
        } else {
            strings(found, found.first(2));
        }
    }
}
