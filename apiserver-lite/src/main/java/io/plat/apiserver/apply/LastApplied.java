package io.plat.apiserver.apply;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.json.JsonFactories;
import java.util.Optional;

/**
 * The last object that kubectl applied by itself, as an annotation holds it: fields of it that are unchanged belong to the
 * user of kubectl, who does not conflict with it when going over to server-side apply.
 */
public final class LastApplied {
    /** The name that kubectl gives itself. */
    public static final String KUBECTL = "kubectl";

    private static final String ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

    /** No longer annotation is written, as annotations are bounded. */
    private static final int LONGEST = 200_000;

    private static final JsonMapper JSON = new JsonMapper(JsonFactories.create());

    private LastApplied() {}

    private static String annotation(JsonNode object) {
        return object.path("metadata").path("annotations").path(ANNOTATION).asText("");
    }

    /** The fields that were applied and are still as they were; empty where nothing is noted. */
    static Optional<FieldSet> unchanged(TypeSchema schema, JsonNode live) {
        String text = annotation(live);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            JsonNode noted = JSON.readTree(text);
            if (!noted.isObject()) {
                return Optional.empty();
            }
            return Optional.of(Comparison.of(schema, noted, live).from(Elements.fields(schema, noted, false)));
        } catch (JsonProcessingException e) {
            // Somebody wrote something else there; it says nothing.
            return Optional.empty();
        }
    }

    /** Notes what kubectl has the server apply where it was noted before, so that going back finds it. */
    public static void note(ObjectNode object, ObjectNode config) {
        if (annotation(object).isEmpty()) {
            return;
        }
        ObjectNode noted = config.deepCopy();
        if (noted.path("metadata").path("annotations") instanceof ObjectNode annotations) {
            annotations.remove(ANNOTATION);
        }
        String text = noted + "\n";
        ObjectNode annotations = (ObjectNode) object.path("metadata").path("annotations");
        if (text.length() > LONGEST) {
            annotations.remove(ANNOTATION);
        } else {
            annotations.put(ANNOTATION, text);
        }
    }
}
