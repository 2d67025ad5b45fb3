package io.plat.cli.review;

import com.fasterxml.jackson.core.JsonGenerator;
import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.Sequence;
import java.io.IOException;
import java.util.Map;

/** A tree that was read from YAML, written as the JSON that it means. */
final class SourceJson {
    private SourceJson() {}

    static byte[] write(SourceNode node) {
        return JsonAnswer.of(json -> write(node, json));
    }

    private static void write(SourceNode node, JsonGenerator json) throws IOException {
        switch (node) {
            case Mapping mapping -> {
                json.writeStartObject();
                for (Map.Entry<String, SourceNode> field : mapping.fields().entrySet()) {
                    json.writeFieldName(field.getKey());
                    write(field.getValue(), json);
                }
                json.writeEndObject();
            }
            case Sequence sequence -> {
                json.writeStartArray();
                for (SourceNode item : sequence.items()) {
                    write(item, json);
                }
                json.writeEndArray();
            }
            case Scalar scalar -> {
                switch (scalar.type()) {
                    case STRING -> json.writeString(scalar.text());
                    case INTEGER, FLOAT -> json.writeNumber(scalar.text());
                    case BOOLEAN -> json.writeBoolean(Boolean.parseBoolean(scalar.text()));
                    case NULL -> json.writeNull();
                }
            }
        }
    }
}
