package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What the metadata of every object must be. Its shape, as the schema has it, has been checked before. */
final class MetadataRules {
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    private MetadataRules() {}

    static void check(ObjectNode metadata, NameRule names, Causes causes) {
        name(metadata, names, causes);
        labels(metadata.path("labels"), causes);
        annotations(metadata.path("annotations"), causes);
        finalizers(metadata.path("finalizers"), causes);
        owners(metadata.path("ownerReferences"), causes);
    }

    private static void name(ObjectNode metadata, NameRule names, Causes causes) {
        String generateName = Json.text(metadata, "generateName");
        if (!generateName.isEmpty()) {
            names.problemsOfPrefix(generateName)
                    .forEach(problem -> causes.invalid("metadata.generateName", generateName, problem));
        }
        String name = Json.text(metadata, "name");
        if (name.isEmpty()) {
            causes.required("metadata.name", "name or generateName is required");
        } else {
            names.problems(name).forEach(problem -> causes.invalid("metadata.name", name, problem));
        }
    }

    private static void labels(JsonNode labels, Causes causes) {
        for (Map.Entry<String, JsonNode> label : labels.properties()) {
            NameRule.qualifiedName(label.getKey())
                    .ifPresent(problem -> causes.invalid("metadata.labels", label.getKey(), problem));
            String value = label.getValue().asText();
            NameRule.LABEL_VALUE.problems(value).forEach(problem -> causes.invalid("metadata.labels", value, problem));
        }
    }

    private static void annotations(JsonNode annotations, Causes causes) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
            NameRule.qualifiedName(annotation.getKey().toLowerCase(Locale.ROOT))
                    .ifPresent(problem -> causes.invalid("metadata.annotations", annotation.getKey(), problem));
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += annotation.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            causes.tooLong("metadata.annotations", MAX_ANNOTATIONS);
        }
    }

    private static void finalizers(JsonNode finalizers, Causes causes) {
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.path(i).asText();
            Optional<String> problem = NameRule.qualifiedName(finalizer);
            if (problem.isPresent()) {
                causes.invalid("metadata.finalizers[" + i + "]", finalizer, problem.get());
            }
        }
    }

    private static void owners(JsonNode owners, Causes causes) {
        int controllers = 0;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.path(i);
            String field = "metadata.ownerReferences[" + i + "].";
            for (String part : List.of("apiVersion", "kind", "name", "uid")) {
                if (Json.text(owner, part).isEmpty()) {
                    causes.invalid(field + part, "", part + " must not be empty");
                }
            }
            controllers += owner.path("controller").asBoolean() ? 1 : 0;
        }
        if (controllers > 1) {
            causes.invalid(
                    "metadata.ownerReferences", "controller", "Only one reference can have Controller set to true.");
        }
    }

    /** What an update may not do: a deletion under way waits for the finalizers it began with. */
    static void checkUpdate(JsonNode before, ObjectNode metadata, Causes causes) {
        if (!before.hasNonNull("deletionTimestamp")) {
            return;
        }
        List<String> old = texts(before.path("finalizers"));
        List<String> added = new ArrayList<>(texts(metadata.path("finalizers")));
        added.removeAll(old);
        if (!added.isEmpty()) {
            causes.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                            + String.join(
                                    ", ", added.stream().map(Causes::quoted).toList()) + "}");
        }
    }

    static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
