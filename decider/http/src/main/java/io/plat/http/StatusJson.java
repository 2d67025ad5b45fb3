package io.plat.http;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import io.plat.review.status.Status;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a Status as the field does, fields in its order, empty ones left out. */
final class StatusJson {
    private static final JsonFactory JSON = new JsonFactory();

    private StatusJson() {}

    static byte[] bytes(Status status) {
        try (ByteArrayBuilder bytes = new ByteArrayBuilder(512)) {
            try (JsonGenerator json = JSON.createGenerator(bytes)) {
                write(json, status);
            }
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void write(JsonGenerator json, Status status) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", "Status");
        json.writeStringField("apiVersion", "v1");
        json.writeObjectFieldStart("metadata");
        json.writeEndObject();
        json.writeStringField("status", "Failure");
        json.writeStringField("message", status.message());
        json.writeStringField("reason", status.reason().word());
        if (status.details() != null) {
            json.writeFieldName("details");
            write(json, status.details());
        }
        json.writeNumberField("code", status.code());
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Status.Details details) throws IOException {
        json.writeStartObject();
        writeUnlessEmpty(json, "name", details.name());
        writeUnlessEmpty(json, "group", details.group());
        writeUnlessEmpty(json, "kind", details.kind());
        writeUnlessEmpty(json, "uid", details.uid());
        if (!details.causes().isEmpty()) {
            json.writeArrayFieldStart("causes");
            for (Status.Cause cause : details.causes()) {
                json.writeStartObject();
                writeUnlessEmpty(json, "reason", cause.reason());
                writeUnlessEmpty(json, "message", cause.message());
                writeUnlessEmpty(json, "field", cause.field());
                json.writeEndObject();
            }
            json.writeEndArray();
        }
        if (details.retryAfterSeconds() > 0) {
            json.writeNumberField("retryAfterSeconds", details.retryAfterSeconds());
        }
        json.writeEndObject();
    }

    private static void writeUnlessEmpty(JsonGenerator json, String field, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(field, value);
        }
    }
}
