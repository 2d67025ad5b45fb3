package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.json.JsonText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.List;

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
        ByteArrayOutputStream body = new ByteArrayOutputStream(1 << 10);
        try {
            write(members, body);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    /** Writes an object of these members and no others to a stream, which is flushed and left open. */
    static void write(Content members, OutputStream out) throws IOException {
        try (JsonGenerator json = JsonBody.JSON.createGenerator(out).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        }
    }

    /** Writes type and metadata of a response. */
    static void begin(String kind, String apiVersion, String namespace, JsonGenerator json) throws IOException {
        json.writeStringField("kind", kind);
        json.writeStringField("apiVersion", apiVersion);
        object("metadata", metadata -> text("namespace", namespace, metadata), json);
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

    /** Writes the number of omitted elements as a member, unless there are none. */
    static void leftOut(String name, BoundedList<?> bounded, JsonGenerator json) throws IOException {
        if (bounded.leftOut() > 0) {
            json.writeNumberField(name, bounded.leftOut());
        }
    }
}
