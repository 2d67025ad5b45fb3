package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.representation.binary.FieldPlan.Shape;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON to a message, in one pass.
 *
 * <p>Fields are written in order of occurrence, unknown ones are omitted, nulls count as absent. Only the fields of inlined messages are
 * buffered, since they may be anywhere in the outer object, and a message must be contiguous.
 */
final class MessageEncoder {
    private final JsonParser parser;
    private final String json;
    private final List<WireWriter> spare = new ArrayList<>();

    private MessageEncoder(JsonParser parser, String json) {
        this.parser = parser;
        this.json = json;
    }

    /**
     * Converts an object to its message.
     *
     * @param json complete UTF-8 text
     * @throws StatusException 400 if the text is malformed, not an object, or has a duplicate field or a value of the wrong type
     */
    static byte[] encode(MessagePlan plan, byte[] json) throws StatusException {
        String text = StrictJson.decode(json);
        var message = new WireWriter(json.length);
        try (JsonParser parser = StrictJson.FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw MalformedInput.json("it is not an object");
            }
            new MessageEncoder(parser, text).message(plan, message);
            if (parser.nextToken() != null) {
                throw MalformedInput.json("unexpected data after the object");
            }
        } catch (JsonProcessingException e) {
            throw StrictJson.fault(e);
        } catch (IOException e) {
            throw new UncheckedIOException("reading an array failed", e);
        }
        return message.toByteArray();
    }

    /** Writes the fields of the object that the parser has entered. */
    private void message(MessagePlan plan, WireWriter out) throws IOException, StatusException {
        List<FieldPlan> parts = plan.parts();
        @Nullable WireWriter[] gathered = new WireWriter[parts.size()];
        long[] seen = new long[(plan.fieldCount() >> 6) + 1];
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            FieldPlan field = plan.named(name);
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            if (field == null) {
                parser.skipChildren();
                continue;
            }
            long bit = 1L << field.index();
            if ((seen[field.index() >> 6] & bit) != 0) {
                throw MalformedInput.json("duplicate field " + MalformedInput.quoted(name));
            }
            seen[field.index() >> 6] |= bit;
            field(field, field.part() < 0 ? out : gathered(gathered, field.part()));
        }
        for (int i = gathered.length - 1; i >= 0; i--) {
            WireWriter content = gathered[i];
            if (content != null) {
                FieldPlan part = parts.get(i);
                (part.part() < 0 ? out : gathered(gathered, part.part())).nested(part.tag(), content);
                content.reset();
                spare.add(content);
            }
        }
    }

    private WireWriter gathered(@Nullable WireWriter[] writers, int index) {
        WireWriter writer = writers[index];
        if (writer == null) {
            writer = spare.isEmpty() ? new WireWriter(256) : spare.removeLast();
            writers[index] = writer;
        }
        return writer;
    }

    private void field(FieldPlan field, WireWriter out) throws IOException, StatusException {
        switch (field.shape()) {
            case ONE -> {
                out.varint(field.tag());
                value(field, out);
            }
            case ARRAY -> array(field, out);
            case MAP -> map(field, out);
        }
    }

    private void array(FieldPlan field, WireWriter out) throws IOException, StatusException {
        expect(JsonToken.START_ARRAY, "an array");
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            out.varint(field.tag());
            if (token != JsonToken.VALUE_NULL) {
                value(field, out);
            } else if (field.kind() == ValueKind.DOUBLE) {
                // A null element is the zero of its type, to keep its position.
                out.fixed64(0);
            } else {
                out.varint(0);
            }
        }
    }

    private void map(FieldPlan field, WireWriter out) throws IOException, StatusException {
        expect(JsonToken.START_OBJECT, "an object");
        FieldPlan keys = field.plan().field(0);
        FieldPlan values = field.plan().field(1);
        var parts = new ArrayList<WireWriter.Part>();
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            int start = out.size();
            out.varint(field.tag());
            int entry = out.open();
            out.varint(keys.tag());
            out.text(key);
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                field(values, out);
            }
            out.close(entry);
            parts.add(new WireWriter.Part(key, start, out.size()));
        }
        out.sort(parts);
    }

    /** Writes the parser's current value, after the tag of its field. */
    private void value(FieldPlan field, WireWriter out) throws IOException, StatusException {
        switch (field.kind()) {
            case STRING -> {
                expect(JsonToken.VALUE_STRING, "a string");
                text(out);
            }
            case INT32 -> out.varint(int32());
            case INT64 -> {
                expect(JsonToken.VALUE_NUMBER_INT, "an integer");
                out.varint(parser.getLongValue());
            }
            case BOOL -> {
                require(parser.currentToken().isBoolean(), "a boolean");
                out.varint(parser.getBooleanValue() ? 1 : 0);
            }
            case DOUBLE -> {
                require(parser.currentToken().isNumeric(), "a number");
                out.fixed64(Double.doubleToRawLongBits(parser.getDoubleValue()));
            }
            case BYTES -> {
                expect(JsonToken.VALUE_STRING, "a string of base64");
                out.block(parser.getBinaryValue());
            }
            case QUANTITY, TIME, MICRO_TIME, INT_OR_STRING, RAW_JSON, EXTENSION, UNION, INLINED, MESSAGE -> {
                int mark = out.open();
                nested(field, out);
                out.close(mark);
            }
        }
    }

    private void nested(FieldPlan field, WireWriter out) throws IOException, StatusException {
        MessagePlan plan = field.plan();
        switch (field.kind()) {
            case QUANTITY -> {
                boolean number = parser.currentToken().isNumeric();
                require(number || parser.currentToken() == JsonToken.VALUE_STRING, "a quantity");
                out.varint(plan.field(0).tag());
                text(out);
            }
            case TIME, MICRO_TIME -> time(plan, field.kind() == ValueKind.MICRO_TIME, out);
            case INT_OR_STRING -> intOrString(plan, out);
            case RAW_JSON, EXTENSION -> raw(plan, out);
            case UNION -> union(plan, out);
            default -> {
                expect(JsonToken.START_OBJECT, described(plan));
                message(plan, out);
            }
        }
    }

    private static String described(MessagePlan plan) {
        return plan.shortName().equals("JSONSchemaProps") ? "a schema" : "an object";
    }

    private void expect(JsonToken token, String expected) throws StatusException {
        require(parser.currentToken() == token, expected);
    }

    private void require(boolean right, String expected) throws StatusException {
        if (!right) {
            throw unexpected(expected);
        }
    }

    private StatusException unexpected(String expected) {
        JsonToken token = parser.currentToken();
        String actual = token == null
                ? "nothing"
                : switch (token) {
                    case START_OBJECT -> "an object";
                    case START_ARRAY -> "an array";
                    case VALUE_STRING -> "a string";
                    case VALUE_NUMBER_INT -> "an integer";
                    case VALUE_NUMBER_FLOAT -> "a fraction";
                    case VALUE_TRUE, VALUE_FALSE -> "a boolean";
                    case VALUE_NULL -> "null";
                    case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT -> "nothing";
                };
        String path = parser.getParsingContext().pathAsPointer().toString();
        return MalformedInput.json(MalformedInput.quoted(path) + " is " + actual + " instead of " + expected);
    }

    private void text(WireWriter out) throws IOException {
        out.text(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    }

    private int int32() throws IOException, StatusException {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        return parser.getIntValue();
    }

    private void time(MessagePlan plan, boolean withMicros, WireWriter out) throws IOException, StatusException {
        expect(JsonToken.VALUE_STRING, "a time");
        char[] text = parser.getTextCharacters();
        int start = parser.getTextOffset();
        int length = parser.getTextLength();
        long seconds = Timestamps.fastSeconds(text, start, length);
        int nanos = 0;
        if (seconds < 0) {
            Instant time = Timestamps.parse(new String(text, start, length)).orElseThrow(() -> unexpected("a time"));
            seconds = time.getEpochSecond();
            nanos = withMicros ? time.getNano() / 1_000 * 1_000 : 0;
        }
        out.varint(plan.field(0).tag());
        out.varint(seconds);
        out.varint(plan.field(1).tag());
        out.varint(nanos);
    }

    private void intOrString(MessagePlan plan, WireWriter out) throws IOException, StatusException {
        boolean string = parser.currentToken() == JsonToken.VALUE_STRING;
        require(string || parser.currentToken() == JsonToken.VALUE_NUMBER_INT, "an integer or a string");
        out.varint(plan.field(0).tag());
        out.varint(string ? 1 : 0);
        field(plan.field(string ? 2 : 1), out);
    }

    private void raw(MessagePlan plan, WireWriter out) throws IOException {
        int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        int end = Math.toIntExact(parser.currentLocation().getCharOffset());
        out.varint(plan.field(0).tag());
        out.block(json.substring(start, end).getBytes(StandardCharsets.UTF_8));
    }

    /** Writes the field of a union that matches the type of the value. */
    private void union(MessagePlan plan, WireWriter out) throws IOException, StatusException {
        FieldPlan chosen = null;
        for (int slot = 0; slot < plan.size(); slot++) {
            FieldPlan field = plan.field(slot);
            if (fits(field)) {
                chosen = field;
            } else if (field.kind() == ValueKind.BOOL && parser.currentToken() == JsonToken.START_OBJECT) {
                // A schema permits anything here.
                out.varint(field.tag());
                out.varint(1);
            }
        }
        if (chosen == null) {
            throw unexpected(forms(plan));
        }
        field(chosen, out);
    }

    private boolean fits(FieldPlan field) {
        JsonToken token = parser.currentToken();
        return field.shape() == Shape.ARRAY
                ? token == JsonToken.START_ARRAY
                : field.kind() == ValueKind.BOOL ? token.isBoolean() : token == JsonToken.START_OBJECT;
    }

    private static String forms(MessagePlan union) {
        var forms = new ArrayList<String>();
        for (int slot = 0; slot < union.size(); slot++) {
            FieldPlan field = union.field(slot);
            if (field.shape() == Shape.ARRAY) {
                forms.add(field.kind() == ValueKind.MESSAGE ? "an array of schemas" : "an array of strings");
            } else if (field.kind() == ValueKind.BOOL) {
                forms.add("a boolean");
            } else {
                forms.addFirst(described(field.plan()));
            }
        }
        return String.join(" or ", forms);
    }
}
