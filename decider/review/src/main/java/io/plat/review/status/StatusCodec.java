package io.plat.review.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.plat.review.json.JsonFactories;
import io.plat.review.json.JsonText;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;

/**
 * Codec of Status objects as JSON, exactly as in Kubernetes: empty members are omitted, except for {@code metadata} and for empty {@code details}.
 */
public final class StatusCodec {
    /** Maximum size of a body that is read as a Status, in bytes. */
    public static final int MAX_BYTES = 1 << 20;

    static final JsonFactory JSON = JsonFactories.builder()
            .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(32)
                    .maxStringLength(MAX_BYTES)
                    .maxNameLength(1 << 10)
                    .maxNumberLength(32)
                    .build())
            .build();

    private StatusCodec() {}

    /** Encodes a failure as JSON in UTF-8. */
    public static byte[] encode(Status status) {
        ByteArrayOutputStream body = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(body)) {
            write(json, status);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return body.toByteArray();
    }

    /**
     * Decodes a server's failure.
     *
     * @param body a response body of any content
     * @return empty if the body is not a Status, is a success, is malformed or larger than {@link #MAX_BYTES}: a client then has only the HTTP
     *     status code
     */
    public static Optional<Status> decode(byte[] body) {
        return body.length > MAX_BYTES ? Optional.empty() : StatusReader.read(body);
    }

    private static void write(JsonGenerator json, Status status) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", "Status");
        json.writeStringField("apiVersion", "v1");
        json.writeObjectFieldStart("metadata");
        writeUnlessEmpty(json, "continue", status.continueToken());
        json.writeEndObject();
        json.writeStringField("status", "Failure");
        writeUnlessEmpty(json, "message", status.message());
        json.writeStringField("reason", status.reason().word());
        if (status.details() != null) {
            write(json, status.details());
        }
        json.writeNumberField("code", status.code());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Details details) throws IOException {
        json.writeObjectFieldStart("details");
        writeUnlessEmpty(json, "name", details.name());
        writeUnlessEmpty(json, "group", details.group());
        writeUnlessEmpty(json, "kind", details.kind());
        writeUnlessEmpty(json, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            json.writeArrayFieldStart("causes");
            for (Cause cause : details.causes()) {
                write(json, cause);
            }
            json.writeEndArray();
        }
        if (details.retryAfterSeconds() != 0) {
            json.writeNumberField("retryAfterSeconds", details.retryAfterSeconds());
        }
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Cause cause) throws IOException {
        json.writeStartObject();
        writeUnlessEmpty(json, "reason", cause.reason());
        writeUnlessEmpty(json, "message", cause.message());
        writeUnlessEmpty(json, "field", cause.field());
        json.writeEndObject();
    }

    private static void writeUnlessEmpty(JsonGenerator json, String name, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(name, JsonText.wellFormed(value));
        }
    }
}
