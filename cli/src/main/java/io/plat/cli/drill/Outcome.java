package io.plat.cli.drill;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.engine.webhook.OneLine;
import io.plat.review.json.JsonFactories;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * What a fault led to.
 *
 * @param fault its name
 * @param open whether a request passed
 * @param detail what was seen, one line
 */
record Outcome(String fault, boolean open, String detail) {
    Outcome {
        detail = OneLine.of(detail);
    }

    String word() {
        return open ? "open" : "closed";
    }

    /** All of them (contract, "plat"). */
    static byte[] json(List<Outcome> outcomes) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JsonFactories.create().createGenerator(out)) {
            json.writeStartArray();
            for (Outcome outcome : outcomes) {
                json.writeStartObject();
                json.writeStringField("fault", outcome.fault);
                json.writeStringField("outcome", outcome.word());
                json.writeStringField("detail", outcome.detail);
                json.writeEndObject();
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return out.toByteArray();
    }
}
