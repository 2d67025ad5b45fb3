package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.engine.lookup.Frozen;
import io.plat.review.NameRule;
import io.plat.review.status.StatusException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Validation of metadata, the same for all types. The shape has been checked before. */
public final class MetadataRules {
    private static final int MAX_ANNOTATIONS = 256 * 1024;

    /** Maximum number of additional controllers that are reported: each message lists all owners. */
    private static final int MAX_CONTROLLERS_REPORTED = 10;

    /** Maximum number of finalizers, owners, or managers of one object. */
    static final int MAX_ENTRIES = 1_000;

    /** All fields of an owner reference, in the order of comparison. */
    private static final List<String> OWNER_FIELDS =
            List.of("uid", "apiVersion", "kind", "name", "controller", "blockOwnerDeletion");

    private static final String DUPLICATE_OWNERS =
            ".metadata.ownerReferences contains duplicate entries%s; API server dedups owner references in 1.20+, and"
                    + " may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed:"
                    + " %s";

    private MetadataRules() {}

    /**
     * Checks metadata.
     *
     * @param created whether the object is new; {@link #checkUpdate} checks the owners of finalizers otherwise
     */
    public static void check(ObjectNode metadata, TypeTraits traits, boolean created, Causes causes) {
        Field field = Field.of("metadata", metadata, causes);
        name(field, traits.names());
        if (field.value().path("generation").asLong() < 0) {
            field.at("generation").invalidValue("must be greater than or equal to 0");
        }
        repeated(field);
        Field finalizers = field.at("finalizers");
        if (bounded(finalizers)) {
            qualified(finalizers);
            if (created) {
                owned(finalizers, traits);
            }
        }
    }

    /** Checks the fields that kube-apiserver checks repeatedly. */
    private static void repeated(Field metadata) {
        Rules.checkLabels(metadata.at("labels"));
        annotations(metadata.at("annotations"));
        Field owners = metadata.at("ownerReferences");
        if (bounded(owners)) {
            owners(owners);
        }
    }

    /** Returns whether the length of a list is acceptable; longer lists are not examined. */
    private static boolean bounded(Field list) {
        list.atMost(MAX_ENTRIES);
        return list.value().size() <= MAX_ENTRIES;
    }

    /**
     * Rejects too many field managers.
     *
     * @throws StatusException 422
     */
    public static void checkManagers(Target target, int count) throws StatusException {
        ApiErrors.requireValid(
                target.type(),
                target.name(),
                causes -> causes.field("metadata.managedFields", "").atMost(count, MAX_ENTRIES));
    }

    private static void name(Field metadata, NameRule names) {
        Field prefix = metadata.at("generateName");
        if (!prefix.isEmpty()) {
            names.problemsOfPrefix(prefix.text()).forEach(prefix::invalid);
        }
        Field name = metadata.at("name");
        if (name.require("name or generateName is required")) {
            name.name(names);
        }
    }

    private static void annotations(Field annotations) {
        long size = 0;
        for (Map.Entry<String, JsonNode> annotation : annotations.value().properties()) {
            NameRule.qualifiedName(annotation.getKey().toLowerCase(Locale.ROOT))
                    .forEach(problem -> annotations.invalid(annotation.getKey(), problem));
            size += annotation.getKey().getBytes(StandardCharsets.UTF_8).length;
            size += annotation.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
        }
        if (size > MAX_ANNOTATIONS) {
            annotations.tooLong(MAX_ANNOTATIONS);
        }
    }

    private static void qualified(Field finalizers) {
        List<String> names = finalizers.texts();
        names.forEach(finalizers::qualifiedName);
        if (names.contains(Finalizers.ORPHAN) && names.contains(Finalizers.FOREGROUND)) {
            finalizers.invalidValue(
                    "finalizer " + Finalizers.ORPHAN + " and " + Finalizers.FOREGROUND + " cannot be both set");
        }
    }

    private static void owned(Field finalizers, TypeTraits traits) {
        for (Field finalizer : traits.bareFinalizers() ? List.<Field>of() : finalizers) {
            Rules.check("OwnedFinalizer", finalizer);
        }
    }

    /** Returns a warning for each finalizer that a custom object gains and that does not name the domain of its owner. */
    public static List<String> finalizerWarnings(ResourceType type, JsonNode before, ObjectNode metadata) {
        if (!type.isCustom() || !metadata.has("finalizers")) {
            return List.of();
        }
        Set<String> gained = new TreeSet<>(Json.texts(metadata.path("finalizers")));
        Json.texts(before.path("finalizers")).forEach(gained::remove);
        gained.removeAll(Finalizers.STANDARD);
        return gained.stream()
                .filter(name -> !name.contains("/"))
                .map(name -> "metadata.finalizers: " + FieldErrorMessages.quoted(name)
                        + ": prefer a domain-qualified finalizer name "
                        + (name.contains(".") ? "including a path (/) " : "")
                        + "to avoid accidental conflicts with other finalizer writers")
                .toList();
    }

    private static void owners(Field owners) {
        String controller = "";
        int tooMany = 0;
        for (Field owner : owners) {
            // kube-apiserver reports fields of all owners at the list.
            Rules.check("OwnerReference", owners.with(owner.value()));
            if (owner.at("controller").flag()) {
                String name = owner.text("kind") + "/" + owner.text("name");
                if (!controller.isEmpty() && ++tooMany <= MAX_CONTROLLERS_REPORTED) {
                    owners.invalidValue(
                            "Only one reference can have Controller set to true. Found \"true\" in references for "
                                    + controller + " and " + name);
                }
                controller = controller.isEmpty() ? name : controller;
            }
        }
    }

    /** Performs the additional checks of an update of an object or of a part of it: no finalizers may be added during deletion. */
    public static void checkUpdate(
            JsonNode before, ObjectNode metadata, TypeTraits traits, boolean part, Causes causes) {
        Field again = Field.of("metadata", metadata, causes);
        boolean bounded = metadata.path("finalizers").size() <= MAX_ENTRIES;
        for (int i = 1; i < Math.min(part ? 3 : 4, traits.metadataChecks()); i++) {
            if (!causes.isEmpty()) {
                repeated(again);
            }
            if (i == 3 && !causes.isEmpty()) {
                qualified(again.at("finalizers"));
            }
            if (i >= 2 && bounded) {
                owned(again.at("finalizers"), traits);
            }
        }
        if (!before.hasNonNull("deletionTimestamp")) {
            return;
        }
        Set<String> old = Frozen.copyOf(Json.texts(before.path("finalizers")));
        List<String> added = Json.texts(metadata.path("finalizers")).stream()
                .filter(name -> !old.contains(name))
                .limit(MAX_ENTRIES)
                .toList();
        if (!added.isEmpty()) {
            String list = String.join(
                    ", ", added.stream().map(FieldErrorMessages::quoted).toList());
            causes.field("metadata.finalizers", "")
                    .forbidden("no new finalizers can be added if the object is being deleted, found new finalizers"
                            + " []string{" + list + "}");
        }
    }

    /**
     * Removes duplicate owner references from an object that was sent or patched, with a warning worded as in Kubernetes.
     *
     * @param metadata metadata of valid shape; modified
     */
    public static Optional<String> removeDuplicateOwners(ObjectNode metadata, boolean patched) {
        if (!(metadata.path("ownerReferences") instanceof ArrayNode references) || references.size() < 2) {
            return Optional.empty();
        }
        Set<String> distinct = new HashSet<>();
        List<JsonNode> kept = new ArrayList<>();
        List<String> duplicateUids = new ArrayList<>();
        for (JsonNode reference : references) {
            // Strings are hashed rather than trees, as string collisions are cheap.
            if (distinct.add(text(reference))) {
                kept.add(reference);
            } else {
                duplicateUids.add(Json.text(reference, "uid"));
            }
        }
        if (duplicateUids.isEmpty()) {
            return Optional.empty();
        }
        references.removeAll();
        references.addAll(kept);
        // kube-apiserver checks a patched object only after authorizing the change.
        String moment = patched ? " after mutating admission happens" : "";
        return Optional.of(DUPLICATE_OWNERS.formatted(moment, String.join(", ", duplicateUids)));
    }

    private static String text(JsonNode reference) {
        var text = new StringBuilder();
        OWNER_FIELDS.forEach(field -> text.append(reference.path(field)).append('\n'));
        return text.toString();
    }
}
