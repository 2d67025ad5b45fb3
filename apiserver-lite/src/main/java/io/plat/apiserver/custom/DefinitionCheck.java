package io.plat.apiserver.custom;

import static io.plat.apiserver.tree.Json.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.tree.Json;
import io.plat.cel.CompileBudget;
import io.plat.review.NameRule;
import io.plat.review.status.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Validates definitions of valid shape, with Kubernetes' messages. */
record DefinitionCheck(
        ObjectNode definition, JsonNode spec, @Nullable ObjectNode before, Causes causes) {
    private static final FieldPath SPEC = FieldPath.of("spec");

    /** Maximum number of versions of a definition, each of which is served, documented and validated. */
    private static final int MAX_VERSIONS = 100;

    static List<Status.Cause> check(ObjectNode definition, @Nullable ObjectNode before) {
        return Causes.of(causes -> new DefinitionCheck(definition, definition.path("spec"), before, causes).check());
    }

    private void check() {
        name();
        group();
        scope();
        names();
        versions();
        conversion();
        if (before != null) {
            unchanged(before);
        }
        storedVersions();
    }

    private void name() {
        String name = text(definition.path("metadata"), "name");
        if (!name.equals(text(spec.path("names"), "plural") + "." + text(spec, "group"))) {
            String detail = "must be spec.names.plural+\".\"+spec.group";
            causes.invalid(FieldPath.of("metadata.name"), FieldErrorMessages.quoted(name), detail);
        }
    }

    private void group() {
        String group = text(spec, "group");
        FieldPath at = SPEC.field("group");
        List<String> problems = NameRule.SUBDOMAIN.problems(group);
        if (group.isEmpty()) {
            causes.required(at, "");
        } else if (problems.isEmpty() && group.indexOf('.') < 0) {
            causes.invalid(at, FieldErrorMessages.quoted(group), "should be a domain with at least one dot");
        } else {
            causes.name(at, group, problems);
        }
        ApiApproval.check(definition, before, causes);
    }

    private void scope() {
        if (text(spec, "scope").isEmpty()) {
            causes.required(SPEC.field("scope"), "");
        }
        causes.oneOf(SPEC.field("scope"), text(spec, "scope"), List.of("Cluster", "Namespaced"));
    }

    private void names() {
        JsonNode names = spec.path("names");
        FieldPath at = SPEC.field("names");
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            String name = text(names, field);
            boolean kind = field.endsWith("ind");
            List<String> problems = NameRule.DNS_1035.problems(kind ? name.toLowerCase(Locale.ROOT) : name);
            if (name.isEmpty()) {
                causes.required(at.field(field), "");
            } else if (!problems.isEmpty()) {
                String but = kind ? "may have mixed case, but should otherwise match: " : "";
                causes.invalid(at.field(field), FieldErrorMessages.quoted(name), but + String.join(",", problems));
            }
        }
        boolean becomesCluster = text(spec, "scope").equals("Cluster")
                && (before == null || !text(before.path("spec"), "scope").equals("Cluster"));
        if (becomesCluster && text(names, "plural").equals("namespaces")) {
            String detail = "a request for such an object would be authorized in the namespace of that name";
            causes.forbidden(at.field("plural"), detail);
        }
        for (String list : List.of("shortNames", "categories")) {
            for (int i = 0; i < names.path(list).size(); i++) {
                String name = names.path(list).path(i).asText();
                causes.name(at.field(list).at(i), name, NameRule.DNS_1035.problems(name));
            }
        }
        String kind = text(names, "kind");
        if (!kind.isEmpty() && kind.equals(text(names, "listKind"))) {
            String detail = "kind and listKind may not be the same";
            causes.invalid(at.field("listKind"), FieldErrorMessages.quoted(kind), detail);
        }
    }

    private void versions() {
        FieldPath at = SPEC.field("versions");
        if (spec.path("versions").size() > MAX_VERSIONS) {
            causes.tooMany(at, spec.path("versions").size(), MAX_VERSIONS);
            return;
        }
        var budget = CompileBudget.ofObject();
        Set<String> names = new HashSet<>();
        int storing = 0;
        boolean unique = true;
        for (int i = 0; i < spec.path("versions").size(); i++) {
            JsonNode version = spec.path("versions").path(i);
            String name = text(version, "name");
            unique &= names.add(name);
            storing += version.path("storage").asBoolean() ? 1 : 0;
            causes.name(at.at(i).field("name"), name, NameRule.DNS_1035.problems(name));
            VersionCheck.check(
                    version, at.at(i), spec.path("versions").size() == 1, schemaBefore(name), budget, causes);
        }
        String badValue = "\"" + names.size() + " versions\"";
        if (!unique) {
            causes.invalid(at, badValue, "must contain unique version names");
        }
        if (storing != 1) {
            causes.invalid(at, badValue, "must have exactly one version marked as storage version");
        }
    }

    /** Returns the previous schema of a version; a missing node for a new version. */
    private JsonNode schemaBefore(String version) {
        return before == null
                ? MissingNode.getInstance()
                : Json.find(before.path("spec").path("versions"), "name", version)
                        .path("schema");
    }

    private void conversion() {
        JsonNode conversion = spec.path("conversion");
        FieldPath at = SPEC.field("conversion");
        String strategy = text(conversion, "strategy");
        if (strategy.equals("None") && conversion.has("webhook")) {
            String detail = "should not be set when strategy is not set to Webhook";
            if (conversion.path("webhook").has("clientConfig")) {
                causes.forbidden(at.field("webhookClientConfig"), detail);
            }
            if (!conversion.path("webhook").path("conversionReviewVersions").isEmpty()) {
                causes.forbidden(at.field("conversionReviewVersions"), detail);
            }
        } else if (strategy.equals("Webhook") && !conversion.path("webhook").has("clientConfig")) {
            causes.required(at.field("webhookClientConfig"), "required when strategy is set to Webhook");
        } else if (!Set.of("None", "Webhook").contains(strategy)) {
            causes.notSupported(at.field("strategy"), FieldErrorMessages.quoted(strategy), List.of("None", "Webhook"));
        }
        if (spec.path("preserveUnknownFields").asBoolean()) {
            causes.invalid(SPEC.field("preserveUnknownFields"), "true", "must be false");
        }
    }

    /** Checks immutable fields: the identity of stored objects, and scope and kind once the type is established. */
    private void unchanged(ObjectNode old) {
        immutable(old, "group");
        immutable(old, "names.plural");
        if (new Conditions(old).isTrue(Conditions.ESTABLISHED)) {
            immutable(old, "scope");
            immutable(old, "names.kind");
        }
    }

    private void immutable(ObjectNode old, String field) {
        String pointer = "/" + field.replace('.', '/');
        JsonNode now = spec.at(pointer);
        if (!now.equals(old.path("spec").at(pointer))) {
            causes.invalid(SPEC.field(field), FieldErrorMessages.shown(now), "field is immutable");
        }
    }

    /** Checks the stored versions, in each of which there may be objects. */
    private void storedVersions() {
        Set<String> present = spec.path("versions")
                .valueStream()
                .map(version -> text(version, "name"))
                .collect(Collectors.toSet());
        JsonNode stored = definition.path("status").path("storedVersions");
        for (int i = 0; i < stored.size(); i++) {
            if (!present.contains(stored.path(i).asText())) {
                FieldPath at = FieldPath.of("status.storedVersions").at(i);
                causes.invalid(at, FieldErrorMessages.shown(stored.path(i)), "must appear in spec.versions");
            }
        }
    }
}
