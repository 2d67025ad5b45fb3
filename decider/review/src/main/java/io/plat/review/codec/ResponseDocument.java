package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Responses of types that are not stored, as JSON in UTF-8: their type, empty metadata, and the caller's content. */
public final class ResponseDocument {
    private ResponseDocument() {}

    /** Writer of members of an object whose start was written. */
    @FunctionalInterface
    public interface Content {
        /**
         * Writes the members.
         *
         * @throws IOException if the generator does
         */
        void write(JsonGenerator json) throws IOException;
    }

    /** Returns a response that consists of a status. */
    public static byte[] of(String kind, ReviewVersion version, Content status) {
        return of(kind, version.apiVersion(), json -> object("status", status, json));
    }

    /** Returns a response with other members. */
    public static byte[] of(String kind, String apiVersion, Content members) {
        return written(json -> {
            begin(kind, apiVersion, "", json);
            members.write(json);
        });
    }

    /** Returns an object of these members and no others. */
    public static byte[] written(Content members) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(4 << 10);
        try (JsonGenerator json = Body.JSON.createGenerator(body)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    /** Writes type and metadata of a response. */
    static void begin(String kind, String apiVersion, String namespace, JsonGenerator json) throws IOException {
        json.writeStringField("kind", kind);
        json.writeStringField("apiVersion", apiVersion);
        object(
                "metadata",
                metadata -> {
                    text("namespace", namespace, metadata);
                    metadata.writeNullField("creationTimestamp");
                },
                json);
    }

    static void object(String name, Content members, JsonGenerator json) throws IOException {
        json.writeObjectFieldStart(name);
        members.write(json);
        json.writeEndObject();
    }

    /** Writer of the members of an object for an item. */
    @FunctionalInterface
    public interface ItemContent<T> {
        void write(T item) throws IOException;
    }

    /** Writes a list of objects as a member. */
    public static <T> void objects(String name, Iterable<T> items, JsonGenerator json, ItemContent<T> members)
            throws IOException {
        json.writeArrayFieldStart(name);
        for (T item : items) {
            json.writeStartObject();
            members.write(item);
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * Writes strings as a member.
     *
     * @throws IOException if the generator does
     */
    public static void strings(String name, List<String> values, JsonGenerator json) throws IOException {
        json.writeArrayFieldStart(name);
        for (String value : values) {
            json.writeString(JsonText.wellFormed(value));
        }
        json.writeEndArray();
    }

    /** Writes a string as a member, unless it is empty. */
    static void text(String name, String value, JsonGenerator json) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }

    /** Writes strings as the first members of the table; empty strings are omitted. */
    static void texts(MemberNames names, JsonGenerator json, String... values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            text(names.at(i), values[i], json);
        }
    }

    /** Writes strings as the members of the table, including empty strings. */
    static void allTexts(MemberNames names, JsonGenerator json, String... values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            json.writeStringField(names.at(i), JsonText.wellFormed(values[i]));
        }
    }

    /**
     * Writes the members that name a subject.
     *
     * @throws IOException if the generator does
     */
    public static void subject(SubjectName subject, JsonGenerator json) throws IOException {
        json.writeStringField("kind", subject.kind().word());
        json.writeStringField("name", JsonText.wellFormed(subject.name()));
        text("namespace", subject.namespace(), json);
        text("inGroup", subject.inGroup(), json);
        if (subject.kind() == SubjectName.Kind.EVERYBODY) {
            json.writeBooleanField("everybody", true);
        }
    }

    /**
     * Writes the authorizers whose grants are unknown, if any.
     *
     * @throws IOException if the generator does
     */
    public static void unexplained(List<UnexplainedAuthorizer> members, JsonGenerator json) throws IOException {
        if (!members.isEmpty()) {
            objects(
                    "unexplained",
                    members,
                    json,
                    member -> allTexts(ExplanationReader.UNEXPLAINED, json, member.authorizer(), member.reason()));
        }
    }

    /**
     * In-memory destination of a generator. A JSON generator writes content that fits into its own buffer, as nearly every review does, at once: it
     * is copied once, whereas a growing stream copies it several times.
     */
    static final class WrittenBytes extends OutputStream {
        private byte[] first = {};
        private @Nullable ByteArrayOutputStream all;

        @Override
        public void write(int one) {
            write(new byte[] {(byte) one}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) {
            if (all != null) {
                all.write(bytes, offset, length);
            } else if (first.length == 0) {
                first = Arrays.copyOfRange(bytes, offset, offset + length);
            } else {
                all = new ByteArrayOutputStream(2 * (first.length + length));
                all.write(first, 0, first.length);
                all.write(bytes, offset, length);
            }
        }

        /** Returns the bytes written so far. */
        byte[] toByteArray() {
            return all == null ? first : all.toByteArray();
        }
    }
}
