package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.plat.apiserver.representation.binary.MessagePlan.InlinedPart;
import io.plat.apiserver.representation.binary.MessagePlan.Placement;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Translates an object's JSON text into its message, in one pass over the text.
 *
 * <p>Fields are written as they come, unknown ones left out, nulls treated as absent. Only the fields of inlined messages are
 * gathered aside, for they may stand anywhere among the outer object's, and a message has to be in one piece.
 */
final class MessageEncoder {
    private static final int KEY = WireReader.block(1);
    private static final int VALUE = 2 << 3;

    private final JsonParser parser;
    private final ValueEncoder values;
    private final List<WireWriter> spare = new ArrayList<>();

    private MessageEncoder(JsonParser parser, String json) {
        this.parser = parser;
        this.values = new ValueEncoder(parser, json, this);
    }

    /**
     * Writes the message of an object.
     *
     * @param plan how to translate its type
     * @param json the whole text
     * @throws StatusException 400 where the text is malformed, is no object, has a field twice or a value of the wrong type
     */
    static void encode(MessagePlan plan, byte[] json, WireWriter to) throws StatusException {
        JsonText.checkEncoding(json);
        String text = new String(json, StandardCharsets.UTF_8);
        try (JsonParser parser = JsonText.FACTORY.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw Malformed.json("it is no object");
            }
            new MessageEncoder(parser, text).message(plan, to);
            if (parser.nextToken() != null) {
                throw Malformed.json("something follows the object");
            }
        } catch (JsonProcessingException e) {
            throw JsonText.fault(e);
        } catch (IOException e) {
            throw new UncheckedIOException("reading an array failed", e);
        }
    }

    /** Writes the fields of the object that the parser has just entered. */
    void message(MessagePlan plan, WireWriter out) throws IOException, StatusException {
        List<InlinedPart> parts = plan.inlinedParts();
        @Nullable WireWriter[] gathered = new WireWriter[parts.size()];
        long[] seen = new long[(plan.fieldCount() >> 6) + 1];
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
            Placement place = plan.placement(name);
            if (parser.nextToken() == JsonToken.VALUE_NULL) {
                continue;
            }
            if (place == null) {
                parser.skipChildren();
                continue;
            }
            long bit = 1L << place.index();
            if ((seen[place.index() >> 6] & bit) != 0) {
                throw Malformed.json("the field " + Malformed.quoted(name) + " is there twice");
            }
            seen[place.index() >> 6] |= bit;
            field(place.field(), place.inlined() < 0 ? out : gathered(gathered, place.inlined()));
        }
        for (int i = gathered.length - 1; i >= 0; i--) {
            WireWriter content = gathered[i];
            if (content != null) {
                InlinedPart part = parts.get(i);
                WireWriter outer = part.parent() < 0 ? out : gathered(gathered, part.parent());
                outer.nested(WireReader.block(part.number()), content);
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
                out.tag(field.tag());
                values.write(field, out);
            }
            case ARRAY -> array(field, out);
            case MAP -> map(field, out);
        }
    }

    private void array(FieldPlan field, WireWriter out) throws IOException, StatusException {
        values.expect(JsonToken.START_ARRAY, "an array");
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            out.tag(field.tag());
            if (token == JsonToken.VALUE_NULL) {
                zero(field.kind(), out);
            } else {
                values.write(field, out);
            }
        }
    }

    private void map(FieldPlan field, WireWriter out) throws IOException, StatusException {
        values.expect(JsonToken.START_OBJECT, "an object");
        for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
            out.tag(field.tag());
            int entry = out.open();
            out.tag(KEY);
            out.text(key);
            if (parser.nextToken() != JsonToken.VALUE_NULL) {
                out.tag(VALUE | field.kind().wireType());
                values.write(field, out);
            }
            out.close(entry);
        }
    }

    /** An element that is null is the zero of its type, as it holds a place. */
    private static void zero(ValueKind kind, WireWriter out) {
        if (kind == ValueKind.DOUBLE) {
            out.fixed64(0);
        } else {
            out.varint(0);
        }
    }
}
