package io.plat.apiserver.representation.binary;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.memory.BoundedOutput;
import io.plat.apiserver.representation.binary.FieldPlan.Shape;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.cel.text.Quantity;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Converts a message to JSON. Fields are in the order of their numbers and map entries sorted by key, as servers write them. */
final class MessageDecoder {
    /** Limit below which integers are exact in a double, and are written without a fraction. */
    private static final double EXACT = 1e15;

    /** Maximum length of a raw null; one with more whitespace is copied as it is. */
    private static final int MAX_NULL = 32;

    private final byte[] bytes;
    private final JsonGenerator out;
    private final BinaryForms forms;

    /** Occurrences for each level of open messages, followed by unused ones. */
    private final List<ParsedFields> open = new ArrayList<>();

    private int opened;
    private int depth;

    private MessageDecoder(byte[] bytes, JsonGenerator out, BinaryForms forms) {
        this.bytes = bytes;
        this.out = out;
        this.forms = forms;
    }

    /**
     * Converts an object to JSON.
     *
     * @param forms forms of objects that may be nested in it
     * @param content type of the object, and position of its message
     * @param maxBytes maximum size of the JSON
     * @throws StatusException 400 if the message is malformed, 413 if the JSON would be too large
     */
    static byte[] decode(BinaryForms forms, byte[] bytes, BinaryEnvelope.Content content, int maxBytes)
            throws StatusException {
        // A small message can be large in JSON.
        var text = new BoundedOutput((content.end() - content.start()) * 2 + 256, maxBytes);
        try (JsonGenerator out = StrictJson.FACTORY.createGenerator(text)) {
            new MessageDecoder(bytes, out, forms).object(content);
        } catch (BoundedOutput.TooLargeException e) {
            throw MalformedInput.tooLarge(maxBytes);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to an array failed", e);
        }
        return text.toByteArray();
    }

    private void object(BinaryEnvelope.Content content) throws IOException, StatusException {
        TypeMeta type = content.type();
        MessagePlan plan = forms.plan(type).orElseThrow(() -> MalformedInput.unknown(type));
        begin();
        out.writeStringField("kind", type.kind());
        out.writeStringField("apiVersion", type.apiVersion());
        fields(plan, read(plan, content.start(), content.end()));
        end();
    }

    private void begin() throws IOException, StatusException {
        enter();
        out.writeStartObject();
    }

    private void end() throws IOException {
        depth--;
        out.writeEndObject();
    }

    private void enter() throws StatusException {
        if (++depth > StrictJson.MAX_DEPTH) {
            throw tooDeep();
        }
    }

    private static StatusException tooDeep() {
        return MalformedInput.binary("it is nested deeper than " + StrictJson.MAX_DEPTH);
    }

    /** Parses a message; messages are closed in reverse order. */
    private ParsedFields read(MessagePlan plan, int start, int end) throws StatusException {
        ParsedFields parsed = allocate(plan);
        parsed.read(plan, start, end);
        return parsed;
    }

    /** Parses a single message that may be in several pieces, or absent. */
    private ParsedFields joined(MessagePlan plan, ParsedFields pieces, int slot) throws StatusException {
        ParsedFields parsed = allocate(plan);
        for (int piece = pieces.first(slot); piece >= 0; piece = pieces.next(piece)) {
            parsed.read(plan, pieces.start(piece), pieces.end(piece));
        }
        return parsed;
    }

    private ParsedFields allocate(MessagePlan plan) {
        if (opened == open.size()) {
            open.add(new ParsedFields(bytes));
        }
        ParsedFields parsed = open.get(opened++);
        parsed.reset(plan.size());
        return parsed;
    }

    private void close() {
        opened--;
    }

    private void fields(MessagePlan plan, ParsedFields parsed) throws IOException, StatusException {
        for (int slot = 0; slot < plan.size(); slot++) {
            FieldPlan field = plan.field(slot);
            if (field.kind() == ValueKind.INLINED) {
                fields(field.plan(), joined(field.plan(), parsed, slot));
            } else if (parsed.first(slot) >= 0 ? isShown(field, parsed, slot) : isShownWhenAbsent(field)) {
                out.writeFieldName(field.name());
                switch (field.shape()) {
                    case ONE -> one(field, parsed, slot);
                    case ARRAY -> array(field, parsed, slot);
                    case MAP -> map(field.plan(), parsed, slot);
                }
            }
        }
        close();
    }

    private static boolean isShownWhenAbsent(FieldPlan field) {
        return field.zero() == Zero.ALWAYS && (field.shape() != Shape.ONE || field.kind() != ValueKind.MESSAGE);
    }

    private boolean isShown(FieldPlan field, ParsedFields parsed, int slot) throws StatusException {
        return field.shape() != Shape.ONE || field.zero() != Zero.OMITTED || !isZero(field, parsed, parsed.last(slot));
    }

    private void one(FieldPlan field, ParsedFields parsed, int slot) throws IOException, StatusException {
        if (field.kind() == ValueKind.MESSAGE) {
            begin();
            fields(field.plan(), joined(field.plan(), parsed, slot));
            end();
        } else if (parsed.last(slot) >= 0) {
            write(field, parsed, parsed.last(slot));
        } else {
            zero(field);
        }
    }

    private void array(FieldPlan field, ParsedFields parsed, int slot) throws IOException, StatusException {
        enter();
        out.writeStartArray();
        for (int element = parsed.first(slot); element >= 0; element = parsed.next(element)) {
            write(field, parsed, element);
        }
        out.writeEndArray();
        depth--;
    }

    private record Entry(int keyStart, int keyEnd, int start, int end) {}

    private void map(MessagePlan plan, ParsedFields parsed, int slot) throws IOException, StatusException {
        begin();
        var entries = new ArrayList<Entry>();
        for (int at = parsed.first(slot); at >= 0; at = parsed.next(at)) {
            ParsedFields parts = read(plan, parsed.start(at), parsed.end(at));
            int key = parts.last(0);
            entries.add(new Entry(parts.start(key), parts.end(key), parsed.start(at), parsed.end(at)));
            close();
        }
        entries.sort(this::compareKeys);
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            // The last of several entries with the same key counts.
            if (i == entries.size() - 1 || compareKeys(entry, entries.get(i + 1)) != 0) {
                StrictJson.checkEncoding(bytes, entry.keyStart, entry.keyEnd, "a key");
                out.writeFieldName(new String(bytes, entry.keyStart, entry.keyEnd - entry.keyStart, UTF_8));
                one(plan.field(1), read(plan, entry.start, entry.end), 1);
                close();
            }
        }
        end();
    }

    private int compareKeys(Entry one, Entry other) {
        return Arrays.compareUnsigned(bytes, one.keyStart, one.keyEnd, bytes, other.keyStart, other.keyEnd);
    }

    private boolean isZero(FieldPlan field, ParsedFields parsed, int at) throws StatusException {
        return switch (field.kind()) {
            case STRING, BYTES, TIME, MICRO_TIME -> parsed.start(at) == parsed.end(at);
            case INT64, BOOL -> parsed.number(at) == 0;
            case INT32 -> (int) parsed.number(at) == 0;
            case DOUBLE -> Double.longBitsToDouble(parsed.number(at)) == 0;
            case INT_OR_STRING -> {
                ParsedFields parts = read(field.plan(), parsed.start(at), parsed.end(at));
                close();
                yield parts.lastNumber(0) == 0 && (int) parts.lastNumber(1) == 0;
            }
            case RAW_JSON, EXTENSION -> {
                ParsedFields parts = read(field.plan(), parsed.start(at), parsed.end(at));
                close();
                int raw = parts.last(0);
                yield parts.start(raw) == parts.end(raw) || isNull(parts.start(raw), parts.end(raw));
            }
            case QUANTITY, UNION, INLINED, MESSAGE -> false;
        };
    }

    private boolean isNull(int start, int end) {
        return end - start < MAX_NULL
                && new String(bytes, start, end - start, ISO_8859_1).strip().equals("null");
    }

    /** Writes the value of a field or element that is absent in protobuf. */
    private void zero(FieldPlan field) throws IOException, StatusException {
        switch (field.kind()) {
            case STRING, BYTES -> out.writeString("");
            case INT32, INT64, DOUBLE, INT_OR_STRING -> out.writeNumber(0);
            case BOOL -> out.writeBoolean(false);
            case QUANTITY -> out.writeString("0");
            case TIME, MICRO_TIME, RAW_JSON, EXTENSION -> out.writeNull();
            case UNION, INLINED, MESSAGE -> message(field, 0, 0);
        }
    }

    private void write(FieldPlan field, ParsedFields parsed, int at) throws IOException, StatusException {
        switch (field.kind()) {
            case INT32 -> out.writeNumber((int) parsed.number(at));
            case INT64 -> out.writeNumber(parsed.number(at));
            case BOOL -> out.writeBoolean(parsed.number(at) != 0);
            case DOUBLE -> writeReal(Double.longBitsToDouble(parsed.number(at)));
            case STRING -> text(parsed.start(at), parsed.end(at));
            case BYTES -> {
                int start = parsed.start(at);
                out.writeBinary(Base64Variants.MIME_NO_LINEFEEDS, bytes, start, parsed.end(at) - start);
            }
            default -> message(field, parsed.start(at), parsed.end(at));
        }
    }

    /** Writes a message in one piece. */
    private void message(FieldPlan field, int start, int end) throws IOException, StatusException {
        MessagePlan plan = field.plan();
        ParsedFields parsed = read(plan, start, end);
        switch (field.kind()) {
            case QUANTITY -> quantity(parsed);
            case TIME, MICRO_TIME -> {
                if (start == end) {
                    out.writeNull();
                } else {
                    time(parsed, field.kind() == ValueKind.MICRO_TIME);
                }
            }
            case INT_OR_STRING -> intOrString(plan, parsed);
            case RAW_JSON, EXTENSION -> raw(parsed, field.kind() == ValueKind.EXTENSION);
            case UNION -> union(plan, parsed);
            default -> {
                begin();
                fields(plan, parsed);
                end();
                return;
            }
        }
        close();
    }

    /** Writes integers without a fraction, as servers do. */
    private void writeReal(double value) throws IOException, StatusException {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw MalformedInput.binary("a number is not finite");
        }
        if (value == Math.rint(value) && Math.abs(value) < EXACT) {
            out.writeNumber((long) value);
        } else {
            out.writeNumber(value);
        }
    }

    private void text(int start, int end) throws IOException, StatusException {
        StrictJson.checkEncoding(bytes, start, end, "a string");
        out.writeUTF8String(bytes, start, end - start);
    }

    private void quantity(ParsedFields parsed) throws IOException, StatusException {
        int last = parsed.last(0);
        String text = last < 0
                ? "0"
                : new String(bytes, parsed.start(last), parsed.end(last) - parsed.start(last), ISO_8859_1);
        if (!Quantity.isQuantity(text)) {
            throw MalformedInput.binary("a quantity is not a number with a known suffix");
        }
        out.writeString(text);
    }

    private void time(ParsedFields parsed, boolean withMicros) throws IOException, StatusException {
        long seconds = parsed.lastNumber(0);
        int nanos = (int) parsed.lastNumber(1);
        if (!Timestamps.writable(seconds) || nanos < 0 || nanos > 999_999_999) {
            throw MalformedInput.binary("a time lies outside the years 1 to 9999 or has no valid fraction");
        }
        DateTimeFormatter format = withMicros ? Timestamps.MICROS : Timestamps.SECONDS;
        out.writeString(format.format(Instant.ofEpochSecond(seconds, nanos)));
    }

    private void intOrString(MessagePlan plan, ParsedFields parsed) throws IOException, StatusException {
        long type = parsed.lastNumber(0);
        if (type != 0 && type != 1) {
            throw MalformedInput.binary("an IntOrString is neither");
        }
        int slot = type == 0 ? 1 : 2;
        one(plan.field(slot), parsed, slot);
    }

    private void raw(ParsedFields parsed, boolean mayBeEnveloped) throws IOException, StatusException {
        int from = parsed.start(parsed.last(0));
        int to = parsed.end(parsed.last(0));
        if (from == to) {
            out.writeNull();
        } else if (mayBeEnveloped && BinaryEnvelope.hasPrefix(bytes, from, to)) {
            object(BinaryEnvelope.open(bytes, from, to));
        } else {
            json(from, to);
        }
    }

    /** Copies raw JSON, which must be one complete value, normalizing whitespace. */
    private void json(int start, int end) throws IOException, StatusException {
        StrictJson.checkEncoding(bytes, start, end, "a raw value");
        try (JsonParser parser = StrictJson.FACTORY.createParser(bytes, start, end - start)) {
            int nested = 0;
            do {
                JsonToken token = parser.nextToken();
                if (token == null) {
                    throw MalformedInput.binary("a raw value is truncated");
                }
                nested += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                if (nested > StrictJson.MAX_DEPTH - depth) {
                    throw tooDeep();
                }
                out.copyCurrentEventExact(parser);
            } while (nested > 0);
            if (parser.nextToken() != null) {
                throw MalformedInput.binary("a raw value is more than one value");
            }
        } catch (JsonProcessingException e) {
            throw StrictJson.fault(e);
        } catch (NumberFormatException e) {
            // The parser's message for an excessive exponent.
            throw MalformedInput.binary("a raw value holds a number that is out of range");
        }
    }

    /** Writes the last set field of a union; if none is set, an empty array or false. */
    private void union(MessagePlan plan, ParsedFields parsed) throws IOException, StatusException {
        int chosen = 0;
        for (int slot = 0; slot < plan.size(); slot++) {
            FieldPlan field = plan.field(slot);
            boolean fallback = field.shape() == Shape.ARRAY || field.kind() == ValueKind.BOOL;
            if (parsed.first(slot) >= 0 || (fallback && parsed.first(chosen) < 0)) {
                chosen = slot;
            }
        }
        FieldPlan field = plan.field(chosen);
        if (field.shape() == Shape.ARRAY) {
            array(field, parsed, chosen);
        } else {
            one(field, parsed, chosen);
        }
    }
}
