package io.plat.cli.review;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tree that was read from YAML, written as the JSON that it means. */
final class SourceJson {
    private SourceJson() {}

    static byte[] write(SourceNode node) {
        return JsonAnswer.of(value(node));
    }

    private static @Nullable Object value(SourceNode node) {
        return switch (node) {
            case Mapping mapping -> {
                Map<String, @Nullable Object> members = new LinkedHashMap<>();
                mapping.fields().forEach((name, member) -> members.put(name, value(member)));
                yield members;
            }
            case Sequence sequence ->
                sequence.items().stream().map(SourceJson::value).toList();
            case Scalar scalar ->
                switch (scalar.type()) {
                    case STRING -> scalar.text();
                    case INTEGER, FLOAT -> (JsonAnswer.Body) json -> json.writeNumber(scalar.text());
                    case BOOLEAN -> Boolean.parseBoolean(scalar.text());
                    case NULL -> null;
                };
        };
    }
}
