package io.plat.review.codec;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.review.ReviewVersion;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Unexplained;
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

    /** Writes members of an object that has begun. */
    @FunctionalInterface
    public interface Content {
        /**
         * Writes them.
         *
         * @throws IOException if the generator does
         */
        void write(JsonGenerator json) throws IOException;
    }

    /** An answer that is nothing but a status. */
    public static byte[] of(String kind, ReviewVersion version, Content status) {
        return of(kind, version.apiVersion(), json -> object("status", status, json));
    }

    /** An answer with members of its own choice. */
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

    /** Writes the names of an answer, and its metadata. */
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

    /**
     * Writes texts as a member.
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

    /** Writes a text as a member, unless it is empty. */
    static void text(String name, String value, JsonGenerator json) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }

    /** Writes texts as members of these names, the first ones of the table; empty texts are left out. */
    static void texts(MemberNames names, JsonGenerator json, String... values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            text(names.at(i), values[i], json);
        }
    }

    /** Writes texts as members of these names, empty texts too. */
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
    public static void subject(SubjectName who, JsonGenerator json) throws IOException {
        json.writeStringField("kind", who.kind().word());
        json.writeStringField("name", JsonText.wellFormed(who.name()));
        text("namespace", who.namespace(), json);
        text("inGroup", who.inGroup(), json);
        if (who.kind() == SubjectName.Kind.EVERYBODY) {
            json.writeBooleanField("everybody", true);
        }
    }

    /**
     * Writes the members that could not explain, if any.
     *
     * @throws IOException if the generator does
     */
    public static void unexplained(List<Unexplained> members, JsonGenerator json) throws IOException {
        if (members.isEmpty()) {
            return;
        }
        json.writeArrayFieldStart("unexplained");
        for (Unexplained member : members) {
            json.writeStartObject();
            allTexts(ExplanationReader.UNEXPLAINED, json, member.authorizer(), member.reason());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /**
     * In-memory destination of a generator. A JSON generator writes content that fits into its own buffer, as nearly every review does, at once:
     * that is copied once, where a growing stream copies it several times.
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

        /** Everything so far. */
        byte[] toByteArray() {
            return all == null ? first : all.toByteArray();
        }
    }
}
