package io.plat.cli.discovery;

import io.plat.cli.server.ServerResponse;
import io.plat.review.source.ProblemsException;
import io.plat.review.source.SourceNode;
import io.plat.review.source.SourceNode.Mapping;
import io.plat.review.source.SourceNode.Scalar;
import io.plat.review.source.SourceNode.Sequence;
import io.plat.review.source.SourceReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A server's JSON document for lookups; missing values, or those of another type, are empty.
 *
 * @param fields the members of an object
 */
record ServedDocument(Map<String, SourceNode> fields) {
    private static final ServedDocument EMPTY = new ServedDocument(Map.of());

    /** Returns the content of a response; empty for a failure or a body that is not a JSON object. */
    static ServedDocument of(ServerResponse answer) {
        if (!answer.succeeded()) {
            return EMPTY;
        }
        try {
            return of(SourceReader.readJson("the answer", 1, answer.text()));
        } catch (ProblemsException noJson) {
            return EMPTY;
        }
    }

    private static ServedDocument of(@Nullable SourceNode node) {
        return node instanceof Mapping mapping ? new ServedDocument(mapping.fields()) : EMPTY;
    }

    ServedDocument object(String name) {
        return of(fields.get(name));
    }

    String text(String name) {
        return fields.get(name) instanceof Scalar scalar ? scalar.text() : "";
    }

    List<ServedDocument> objects(String name) {
        return fields.get(name) instanceof Sequence list
                ? list.items().stream().map(ServedDocument::of).toList()
                : List.of();
    }

    List<String> texts(String name) {
        return fields.get(name) instanceof Sequence list
                ? list.items().stream()
                        .filter(Scalar.class::isInstance)
                        .map(item -> ((Scalar) item).text())
                        .toList()
                : List.of();
    }
}
