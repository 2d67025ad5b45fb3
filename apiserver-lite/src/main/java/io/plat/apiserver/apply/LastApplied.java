package io.plat.apiserver.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.ClientJson;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.json.JsonFactories;
import java.io.IOException;
import java.util.Optional;

/**
 * Object in kubectl's {@code last-applied-configuration} annotation. Its unchanged fields belong to the kubectl user, who therefore has
 * no conflicts when switching to server-side apply.
 */
public final class LastApplied {
    /** Field manager name of kubectl. */
    public static final String KUBECTL = "kubectl";

    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    /** Maximum length of the annotation that is written, as annotations are limited in size. */
    private static final int MAX_LENGTH = 200_000;

    private static final JsonMapper JSON = new JsonMapper(JsonFactories.create());

    private LastApplied() {}

    private static String annotation(JsonNode object) {
        return object.path("metadata").path("annotations").path(ANNOTATION).asText("");
    }

    /** Returns the fields that were applied and are unchanged; empty without an annotation. */
    static Optional<FieldSet> unchanged(TypeSchema schema, JsonNode live) {
        String text = annotation(live);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            // Its fields, and a comparison with the object.
            JsonNode applied = ClientJson.read(JSON, text, 3);
            if (!applied.isObject()) {
                return Optional.empty();
            }
            return Optional.of(Comparison.of(schema, applied, live).unchanged(Elements.fields(schema, applied, false)));
        } catch (IOException e) {
            // The annotation holds something else.
            return Optional.empty();
        }
    }

    /** Updates the annotation, if present, after a server-side apply by kubectl, so that switching back works. */
    public static void update(ObjectNode object, ObjectNode config) {
        if (annotation(object).isEmpty()) {
            return;
        }
        ObjectNode applied = config.deepCopy();
        if (applied.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATION);
        }
        String text = applied + "\n";
        ObjectNode annotations = (ObjectNode) object.path("metadata").path("annotations");
        if (text.length() > MAX_LENGTH) {
            annotations.remove(ANNOTATION);
        } else {
            annotations.put(ANNOTATION, text);
        }
    }
}
