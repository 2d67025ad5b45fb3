package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.apiserver.representation.binary.FieldPlan.Zero;
import io.plat.review.status.StatusException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * Translates a message into its object's JSON text. Fields come out in the order of their numbers and the entries of maps by
 * key, as servers write them.
 */
final class MessageDecoder {
    private final byte[] bytes;
    private final JsonGenerator out;
    private final MessagePlans plans;
    private final Locator locator;
    private final ValueDecoder values;
    private int depth;

    private MessageDecoder(byte[] bytes, JsonGenerator out, MessagePlans plans) {
        this.bytes = bytes;
        this.out = out;
        this.plans = plans;
        var reader = new WireReader(bytes);
        this.locator = new Locator(reader);
        this.values = new ValueDecoder(bytes, reader, locator, out, this);
    }

    /**
     * Writes the JSON text of an object.
     *
     * @param plans the plans of objects that may be nested in it
     * @param type what its fields kind and apiVersion say
     * @param maxBytes how many bytes of text to write at most
     * @throws StatusException 400 where the message is malformed, 413 where the text would become too large
     */
    static byte[] decode(MessagePlans plans, TypeMeta type, MessagePlan plan, Stretch message, int maxBytes)
            throws StatusException {
        var text = new BoundedOutput(message.length() * 2 + 256, maxBytes);
        try (JsonGenerator out = JsonText.FACTORY.createGenerator(text)) {
            new MessageDecoder(message.bytes(), out, plans).object(type, plan, message.start(), message.end());
        } catch (BoundedOutput.TooLargeException e) {
            throw Malformed.tooLarge(maxBytes);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to an array failed", e);
        }
        return text.toByteArray();
    }

    private void object(TypeMeta type, MessagePlan plan, int start, int end) throws IOException, StatusException {
        begin();
        out.writeStringField("kind", type.kind());
        out.writeStringField("apiVersion", type.apiVersion());
        fields(plan, start, end);
        end();
    }

    /** Writes an object that stands in another one in an envelope of its own. */
    void enveloped(int start, int end) throws IOException, StatusException {
        BinaryEnvelope.Content content = BinaryEnvelope.open(new Stretch(bytes, start, end));
        TypeMeta type = content.type();
        MessagePlan plan = plans.find(type).orElseThrow(() -> BinaryForms.unknown(type));
        object(type, plan, content.message().start(), content.message().end());
    }

    /** Writes a nested message that stands in one piece. */
    void message(MessagePlan plan, int start, int end) throws IOException, StatusException {
        begin();
        fields(plan, start, end);
        end();
    }

    /** Enters a JSON object. */
    private void begin() throws IOException, StatusException {
        enter();
        out.writeStartObject();
    }

    private void end() throws IOException {
        depth--;
        out.writeEndObject();
    }

    private void enter() throws StatusException {
        if (++depth > JsonText.MAX_DEPTH) {
            throw Malformed.binary("it is nested deeper than " + JsonText.MAX_DEPTH);
        }
    }

    /** How much deeper it may still become. */
    int depthLeft() {
        return JsonText.MAX_DEPTH - depth;
    }

    private void fields(MessagePlan plan, int start, int end) throws IOException, StatusException {
        Occurrences found = locator.lend(plan.size());
        locator.locate(plan, found, start, end);
        located(plan, found);
    }

    /** Writes the fields of a single message that may have come in several pieces, or not at all. */
    private void joined(MessagePlan plan, Occurrences pieces, int first) throws IOException, StatusException {
        Occurrences found = locator.lend(plan.size());
        for (int piece = first; piece >= 0; piece = pieces.next(piece)) {
            locator.locate(plan, found, pieces.start(piece), pieces.end(piece));
        }
        located(plan, found);
    }

    private void located(MessagePlan plan, Occurrences found) throws IOException, StatusException {
        for (int slot = 0; slot < plan.size(); slot++) {
            switch (plan.entry(slot)) {
                case MessagePlan.Inlined inlined -> joined(inlined.plan(), found, found.first(slot));
                case FieldPlan field -> {
                    switch (field.shape()) {
                        case ONE -> one(field, found, slot);
                        case ARRAY -> array(field, found, found.first(slot));
                        case MAP -> map(field, found, found.first(slot));
                    }
                }
            }
        }
        locator.giveBack();
    }

    private void one(FieldPlan field, Occurrences found, int slot) throws IOException, StatusException {
        int last = found.last(slot);
        if (last < 0) {
            if (field.zero() == Zero.ALWAYS && field.kind() != ValueKind.MESSAGE) {
                out.writeFieldName(field.name());
                values.zero(field);
            }
        } else if (field.kind() == ValueKind.MESSAGE) {
            out.writeFieldName(field.name());
            begin();
            joined(field.plan(), found, found.first(slot));
            end();
        } else if (field.zero() != Zero.LEFT_OUT || !values.isZero(field.kind(), found.start(last), found.end(last))) {
            out.writeFieldName(field.name());
            values.write(field, found.start(last), found.end(last));
        }
    }

    private void array(FieldPlan field, Occurrences found, int first) throws IOException, StatusException {
        if (first < 0 && field.zero() != Zero.ALWAYS) {
            return;
        }
        out.writeFieldName(field.name());
        enter();
        out.writeStartArray();
        for (int element = first; element >= 0; element = found.next(element)) {
            values.write(field, found.start(element), found.end(element));
        }
        out.writeEndArray();
        depth--;
    }

    private void map(FieldPlan field, Occurrences found, int first) throws IOException, StatusException {
        if (first < 0 && field.zero() != Zero.ALWAYS) {
            return;
        }
        out.writeFieldName(field.name());
        begin();
        Entry[] entries = entries(field, found, first);
        for (int i = 0; i < entries.length; i++) {
            // The last of several entries with one key counts.
            if (i == entries.length - 1 || !entries[i].sameKey(bytes, entries[i + 1])) {
                entry(field, entries[i]);
            }
        }
        end();
    }

    /** An entry of a map: where its key stands, and where the whole of it. */
    private record Entry(int keyStart, int keyEnd, int start, int end) {
        int compareKey(byte[] bytes, Entry other) {
            return Arrays.compareUnsigned(bytes, keyStart, keyEnd, bytes, other.keyStart, other.keyEnd);
        }

        boolean sameKey(byte[] bytes, Entry other) {
            return compareKey(bytes, other) == 0;
        }
    }

    private Entry[] entries(FieldPlan field, Occurrences found, int first) throws StatusException {
        int count = 0;
        for (int at = first; at >= 0; at = found.next(at)) {
            count++;
        }
        var entries = new Entry[count];
        boolean sorted = true;
        int index = 0;
        for (int at = first; at >= 0; at = found.next(at)) {
            Occurrences parts = parts(field, found.start(at), found.end(at));
            int key = parts.last(1);
            entries[index] = new Entry(
                    key < 0 ? 0 : parts.start(key), key < 0 ? 0 : parts.end(key), found.start(at), found.end(at));
            locator.giveBack();
            sorted &= index == 0 || entries[index - 1].compareKey(bytes, entries[index]) < 0;
            index++;
        }
        if (!sorted) {
            Arrays.sort(entries, Comparator.comparing(entry -> entry, (a, b) -> a.compareKey(bytes, b)));
        }
        return entries;
    }

    private Occurrences parts(FieldPlan field, int start, int end) throws StatusException {
        return locator.locate(
                "an entry", start, end, WireReader.BLOCK, field.kind().wireType());
    }

    private void entry(FieldPlan field, Entry entry) throws IOException, StatusException {
        if (!Utf8.valid(bytes, entry.keyStart(), entry.keyEnd())) {
            throw Malformed.binary("a key is not UTF-8");
        }
        out.writeFieldName(
                new String(bytes, entry.keyStart(), entry.keyEnd() - entry.keyStart(), StandardCharsets.UTF_8));
        Occurrences parts = parts(field, entry.start(), entry.end());
        int value = parts.last(2);
        if (field.kind() == ValueKind.MESSAGE) {
            begin();
            joined(field.plan(), parts, parts.first(2));
            end();
        } else if (value < 0) {
            values.zero(field);
        } else {
            values.write(field, parts.start(value), parts.end(value));
        }
        locator.giveBack();
    }
}
