package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.FieldWords;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** What the metadata of every object must be. Its shape, as the schema has it, has been checked before. */
final class MetadataRules {
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    /** How many controllers too many are told: each is told with all owners. */
    private static final int MAX_CONTROLLERS_TOLD = 10;

    /** The most finalizers, owners, or managers of fields of one object. */
    static final int MOST_ENTRIES = 1_000;

    private static final Pattern OWNER_VERSION = Pattern.compile("([^/]+/)?[^/]+");

    private static final List<String> OWNER_PARTS = List.of("apiVersion", "kind", "name", "uid");

    private MetadataRules() {}

    static void check(ObjectNode metadata, NameRule names, Causes causes) {
        name(metadata, names, causes);
        SelectorCheck.labels(Field.of("metadata", metadata, causes).at("labels"));
        annotations(metadata.path("annotations"), causes);
        if (bounded("finalizers", metadata, causes)) {
            finalizers(metadata.path("finalizers"), causes);
        }
        if (bounded("ownerReferences", metadata, causes)) {
            owners(metadata.path("ownerReferences"), causes);
        }
    }

    /** Whether a list is one of sane length; what is longer is not looked at. */
    private static boolean bounded(String field, JsonNode metadata, Causes causes) {
        int size = metadata.path(field).size();
        causes.atMost("metadata." + field, size, MOST_ENTRIES);
        return size <= MOST_ENTRIES;
    }

    /**
     * Refuses too many managers of fields.
     *
     * @throws StatusException 422
     */
    static void checkManagers(Target target, int count) throws StatusException {
        if (count > MOST_ENTRIES) {
            var causes = new Causes();
            causes.atMost("metadata.managedFields", count, MOST_ENTRIES);
            throw Refusals.invalid(target.type(), target.name(), causes.list());
        }
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
        List<String> names = texts(finalizers);
        for (String finalizer : names) {
            NameRule.qualifiedName(finalizer)
                    .ifPresent(problem -> causes.invalid("metadata.finalizers", finalizer, problem));
        }
        if (names.contains(Finalizers.ORPHAN) && names.contains(Finalizers.FOREGROUND)) {
            causes.invalidLiteral(
                    "metadata.finalizers",
                    finalizers.toString(),
                    "finalizer " + Finalizers.ORPHAN + " and " + Finalizers.FOREGROUND + " cannot be both set");
        }
    }

    /** Finalizers that a new object comes with say whose they are, but for those that mean something to everybody. */
    static void checkNewFinalizers(ObjectNode metadata, Causes causes) {
        JsonNode finalizers = metadata.path("finalizers");
        for (int i = 0; i < finalizers.size(); i++) {
            String finalizer = finalizers.path(i).asText();
            if (NameRule.qualifiedName(finalizer).isEmpty()) {
                checkFinalizer("metadata.finalizers[" + i + "]", finalizer, causes);
            }
        }
    }

    /** A finalizer is a qualified name, and says whose it is unless it means something to everybody. */
    static void checkFinalizer(String field, String finalizer, Causes causes) {
        NameRule.qualifiedName(finalizer).ifPresent(problem -> causes.invalid(field, finalizer, problem));
        if (finalizer.indexOf('/') < 0 && !Finalizers.standard(finalizer)) {
            causes.invalid(field, finalizer, "name is neither a standard finalizer name nor is it fully qualified");
        }
    }

    private static void owners(JsonNode owners, Causes causes) {
        String controller = "";
        int tooMany = 0;
        for (int i = 0; i < owners.size(); i++) {
            JsonNode owner = owners.path(i);
            owner("metadata.ownerReferences[" + i + "]", owner, causes);
            if (owner.path("controller").asBoolean()) {
                String name = Json.text(owner, "kind") + "/" + Json.text(owner, "name");
                if (!controller.isEmpty() && ++tooMany <= MAX_CONTROLLERS_TOLD) {
                    causes.invalidLiteral(
                            "metadata.ownerReferences",
                            owners.toString(),
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + name);
                }
                controller = controller.isEmpty() ? name : controller;
            }
        }
    }

    private static void owner(String field, JsonNode owner, Causes causes) {
        for (String part : OWNER_PARTS) {
            if (Json.text(owner, part).isEmpty()) {
                causes.required(field + "." + part, "must not be empty");
            }
        }
        String version = Json.text(owner, "apiVersion");
        if (!version.isEmpty() && !OWNER_VERSION.matcher(version).matches()) {
            causes.invalid(field + ".apiVersion", version, "must be <group>/<version> or <version>");
        }
        if (version.equals("v1") && Json.text(owner, "kind").equals("Event")) {
            causes.invalidLiteral(field, owner.toString(), "/v1, Kind=Event is disallowed from being an owner");
        }
    }

    /** What an update may not do: a deletion under way waits for the finalizers it began with. */
    static void checkUpdate(JsonNode before, ObjectNode metadata, Causes causes) {
        if (!before.hasNonNull("deletionTimestamp")) {
            return;
        }
        Set<String> old = Set.copyOf(texts(before.path("finalizers")));
        List<String> added = texts(metadata.path("finalizers")).stream()
                .filter(name -> !old.contains(name))
                .limit(MOST_ENTRIES)
                .toList();
        if (!added.isEmpty()) {
            causes.forbidden(
                    "metadata.finalizers",
                    "no new finalizers can be added if the object is being deleted, found new finalizers []string{"
                            + String.join(
                                    ", ", added.stream().map(FieldWords::quoted).toList()) + "}");
        }
    }

    static List<String> texts(JsonNode list) {
        var texts = new ArrayList<String>();
        list.forEach(item -> texts.add(item.asText()));
        return texts;
    }
}
