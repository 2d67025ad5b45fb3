package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/** Writes the one value that a parser stands at, after the tag of its field; special types in their own forms. */
final class ValueEncoder {
    private static final int FIRST_NUMBER = WireReader.number(1);
    private static final int FIRST_BLOCK = WireReader.block(1);
    private static final int SECOND_NUMBER = WireReader.number(2);
    private static final int SECOND_BLOCK = WireReader.block(2);
    private static final int THIRD_BLOCK = WireReader.block(3);

    private final JsonParser parser;
    private final String json;
    private final MessageEncoder messages;

    ValueEncoder(JsonParser parser, String json, MessageEncoder messages) {
        this.parser = parser;
        this.json = json;
        this.messages = messages;
    }

    void write(FieldPlan field, WireWriter out) throws IOException, StatusException {
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
            case BOOL -> out.varint(bool() ? 1 : 0);
            case DOUBLE -> out.fixed64(Double.doubleToRawLongBits(number()));
            case BYTES -> {
                expect(JsonToken.VALUE_STRING, "a string of base64");
                byte[] decoded = parser.getBinaryValue();
                out.block(decoded, 0, decoded.length);
            }
            case QUANTITY -> quantity(out);
            case TIME -> time(out, false);
            case MICRO_TIME -> time(out, true);
            case INT_OR_STRING -> intOrString(out);
            case RAW_JSON, EXTENSION -> raw(out);
            case STRINGS -> {
                int wrapper = out.open();
                strings(FIRST_BLOCK, out);
                out.close(wrapper);
            }
            case SCHEMA_OR_SCHEMAS -> schemaOrSchemas(field.plan(), out);
            case SCHEMA_OR_BOOL -> schemaOrBool(field.plan(), out);
            case SCHEMA_OR_STRINGS -> schemaOrStrings(field.plan(), out);
            case MESSAGE -> {
                expect(JsonToken.START_OBJECT, "an object");
                nested(field.plan(), out);
            }
        }
    }

    /** Refuses any other token than the one that belongs here. */
    void expect(JsonToken token, String expected) throws IOException, StatusException {
        if (parser.currentToken() != token) {
            throw unexpected(expected);
        }
    }

    private StatusException unexpected(String expected) {
        JsonToken token = parser.currentToken();
        String found = token == null
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
        return Malformed.json(Malformed.quoted(path) + " is " + found + " instead of " + expected);
    }

    private void text(WireWriter out) throws IOException {
        out.text(parser.getTextCharacters(), parser.getTextOffset(), parser.getTextLength());
    }

    private int int32() throws IOException, StatusException {
        expect(JsonToken.VALUE_NUMBER_INT, "an integer");
        return parser.getIntValue();
    }

    private boolean bool() throws IOException, StatusException {
        if (!parser.currentToken().isBoolean()) {
            throw unexpected("a boolean");
        }
        return parser.getBooleanValue();
    }

    private double number() throws IOException, StatusException {
        if (!parser.currentToken().isNumeric()) {
            throw unexpected("a number");
        }
        return parser.getDoubleValue();
    }

    private void quantity(WireWriter out) throws IOException, StatusException {
        if (!parser.currentToken().isNumeric() && parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected("a quantity");
        }
        int wrapper = out.open();
        out.tag(FIRST_BLOCK);
        text(out);
        out.close(wrapper);
    }

    private void time(WireWriter out, boolean withMicros) throws IOException, StatusException {
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
        out.varint(2L + WireWriter.varintSize(seconds) + WireWriter.varintSize(nanos));
        out.tag(FIRST_NUMBER);
        out.varint(seconds);
        out.tag(SECOND_NUMBER);
        out.varint(nanos);
    }

    private void intOrString(WireWriter out) throws IOException, StatusException {
        boolean string = parser.currentToken() == JsonToken.VALUE_STRING;
        if (!string && parser.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw unexpected("an integer or a string");
        }
        int wrapper = out.open();
        out.tag(FIRST_NUMBER);
        out.varint(string ? 1 : 0);
        if (string) {
            out.tag(THIRD_BLOCK);
            text(out);
        } else {
            out.tag(SECOND_NUMBER);
            out.varint(parser.getIntValue());
        }
        out.close(wrapper);
    }

    /** Copies the text of a value as it stands there. */
    private void raw(WireWriter out) throws IOException {
        int start = Math.toIntExact(parser.currentTokenLocation().getCharOffset());
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        int end = Math.toIntExact(parser.currentLocation().getCharOffset());
        byte[] text = json.substring(start, end).getBytes(StandardCharsets.UTF_8);
        out.varint(1L + WireWriter.varintSize(text.length) + text.length);
        out.tag(FIRST_BLOCK);
        out.block(text, 0, text.length);
    }

    private void strings(int tag, WireWriter out) throws IOException, StatusException {
        expect(JsonToken.START_ARRAY, "an array of strings");
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            out.tag(tag);
            if (token == JsonToken.VALUE_NULL) {
                out.varint(0);
            } else {
                expect(JsonToken.VALUE_STRING, "a string");
                text(out);
            }
        }
    }

    private void schemaOrSchemas(MessagePlan schema, WireWriter out) throws IOException, StatusException {
        int wrapper = out.open();
        if (parser.currentToken() == JsonToken.START_ARRAY) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                expect(JsonToken.START_OBJECT, "a schema");
                out.tag(SECOND_BLOCK);
                nested(schema, out);
            }
        } else {
            expect(JsonToken.START_OBJECT, "a schema or an array of schemas");
            out.tag(FIRST_BLOCK);
            nested(schema, out);
        }
        out.close(wrapper);
    }

    private void schemaOrBool(MessagePlan schema, WireWriter out) throws IOException, StatusException {
        boolean object = parser.currentToken() == JsonToken.START_OBJECT;
        if (!object && !parser.currentToken().isBoolean()) {
            throw unexpected("a schema or a boolean");
        }
        int wrapper = out.open();
        out.tag(FIRST_NUMBER);
        // A schema allows what follows it.
        out.varint(object || parser.getBooleanValue() ? 1 : 0);
        if (object) {
            out.tag(SECOND_BLOCK);
            nested(schema, out);
        }
        out.close(wrapper);
    }

    private void schemaOrStrings(MessagePlan schema, WireWriter out) throws IOException, StatusException {
        int wrapper = out.open();
        if (parser.currentToken() == JsonToken.START_OBJECT) {
            out.tag(FIRST_BLOCK);
            nested(schema, out);
        } else {
            strings(SECOND_BLOCK, out);
        }
        out.close(wrapper);
    }

    private void nested(MessagePlan plan, WireWriter out) throws IOException, StatusException {
        int mark = out.open();
        messages.message(plan, out);
        out.close(mark);
    }
}
