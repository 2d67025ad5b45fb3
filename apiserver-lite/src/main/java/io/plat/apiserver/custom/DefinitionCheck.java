package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.schema.Findings;
import io.plat.apiserver.rules.NameRule;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import io.plat.review.status.Status;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with a definition, in the words of existing servers. Its shape has been checked. */
final class DefinitionCheck {
    private static final FieldPath SPEC = FieldPath.of("spec");

    private final ObjectNode definition;
    private final JsonNode spec;
    private final @Nullable ObjectNode before;
    private final Findings findings;

    private DefinitionCheck(ObjectNode definition, @Nullable ObjectNode before, Findings findings) {
        this.findings = findings;
        this.definition = definition;
        this.spec = definition.path("spec");
        this.before = before;
    }

    static List<Status.Cause> check(ObjectNode definition, @Nullable ObjectNode before) {
        return Findings.of(findings -> new DefinitionCheck(definition, before, findings).check());
    }

    private void check() {
        name();
        group();
        scope();
        names();
        versions();
        conversion();
        unknownFields();
        if (before != null) {
            unchanged(before);
        }
        storedVersions();
    }

    private void name() {
        String name = definition.path("metadata").path("name").asText("");
        String required = text(spec.path("names"), "plural") + "." + text(spec, "group");
        if (!name.equals(required)) {
            findings.invalid(
                    FieldPath.of("metadata.name"),
                    FieldWords.quoted(name),
                    "must be spec.names.plural+\".\"+spec.group");
        }
    }

    private void group() {
        String group = text(spec, "group");
        FieldPath at = SPEC.field("group");
        List<String> problems = NameRule.SUBDOMAIN.problems(group);
        if (group.isEmpty()) {
            findings.required(at, "");
        } else if (!problems.isEmpty()) {
            findings.invalid(at, FieldWords.quoted(group), String.join(",", problems));
        } else if (group.indexOf('.') < 0) {
            findings.invalid(at, FieldWords.quoted(group), "should be a domain with at least one dot");
        }
        ApiApproval.check(definition, before, findings);
    }

    /** What the version before this one allowed. */
    private void unknownFields() {
        if (spec.path("preserveUnknownFields").asBoolean()) {
            findings.invalid(SPEC.field("preserveUnknownFields"), "true", "must be false");
        }
    }

    private void scope() {
        String scope = text(spec, "scope");
        List<String> known = List.of("Cluster", "Namespaced");
        if (scope.isEmpty()) {
            findings.required(SPEC.field("scope"), "");
        } else if (!known.contains(scope)) {
            findings.notSupported(SPEC.field("scope"), FieldWords.quoted(scope), known);
        }
    }

    private void names() {
        JsonNode names = spec.path("names");
        FieldPath at = SPEC.field("names");
        for (String field : List.of("plural", "singular", "kind", "listKind")) {
            String name = text(names, field);
            boolean kind = field.endsWith("ind");
            List<String> problems = NameRule.DNS_1035.problems(kind ? name.toLowerCase(Locale.ROOT) : name);
            if (name.isEmpty()) {
                findings.required(at.field(field), "");
            } else if (!problems.isEmpty()) {
                findings.invalid(
                        at.field(field),
                        FieldWords.quoted(name),
                        (kind ? "may have mixed case, but should otherwise match: " : "") + String.join(",", problems));
            }
        }
        for (String list : List.of("shortNames", "categories")) {
            for (int i = 0; i < names.path(list).size(); i++) {
                String name = names.path(list).path(i).asText();
                List<String> problems = NameRule.DNS_1035.problems(name);
                if (!problems.isEmpty()) {
                    findings.invalid(at.field(list).at(i), FieldWords.quoted(name), String.join(",", problems));
                }
            }
        }
        if (!text(names, "kind").isEmpty() && text(names, "kind").equals(text(names, "listKind"))) {
            findings.invalid(
                    at.field("listKind"),
                    FieldWords.quoted(text(names, "listKind")),
                    "kind and listKind may not be the same");
        }
    }

    private void versions() {
        FieldPath at = SPEC.field("versions");
        Set<String> seen = new HashSet<>();
        int storing = 0;
        boolean unique = true;
        for (int i = 0; i < spec.path("versions").size(); i++) {
            JsonNode version = spec.path("versions").path(i);
            String name = text(version, "name");
            unique &= seen.add(name);
            storing += version.path("storage").asBoolean() ? 1 : 0;
            List<String> problems = NameRule.DNS_1035.problems(name);
            if (!problems.isEmpty()) {
                findings.invalid(at.at(i).field("name"), FieldWords.quoted(name), String.join(",", problems));
            }
            VersionCheck.check(version, at.at(i), schemaBefore(name), findings);
        }
        String shown = "\"" + seen.size() + " versions\"";
        if (!unique) {
            findings.invalid(at, shown, "must contain unique version names");
        }
        if (storing != 1) {
            findings.invalid(at, shown, "must have exactly one version marked as storage version");
        }
    }

    /** The schema that a version had; a missing node for a new one. */
    private JsonNode schemaBefore(String version) {
        if (before != null) {
            for (JsonNode each : before.path("spec").path("versions")) {
                if (text(each, "name").equals(version)) {
                    return each.path("schema");
                }
            }
        }
        return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
    }

    private void conversion() {
        JsonNode conversion = spec.path("conversion");
        FieldPath at = SPEC.field("conversion");
        String strategy = text(conversion, "strategy");
        if (!List.of("None", "Webhook").contains(strategy)) {
            findings.notSupported(at.field("strategy"), FieldWords.quoted(strategy), List.of("None", "Webhook"));
        } else if (strategy.equals("None") && conversion.has("webhook")) {
            findings.forbidden(at.field("webhook"), "should not be set when strategy is not set to Webhook");
        } else if (strategy.equals("Webhook") && !conversion.path("webhook").has("clientConfig")) {
            findings.required(at.field("webhookClientConfig"), "required when strategy is set to Webhook");
        }
    }

    /** What decides where objects are stored can't change, nor what they are once they are served. */
    private void unchanged(ObjectNode old) {
        immutable(SPEC.field("group"), spec.path("group"), old.path("spec").path("group"));
        immutable(
                SPEC.field("names").field("plural"),
                spec.path("names").path("plural"),
                old.path("spec").path("names").path("plural"));
        if (new Conditions(old).isTrue(Conditions.ESTABLISHED)) {
            immutable(SPEC.field("scope"), spec.path("scope"), old.path("spec").path("scope"));
            immutable(
                    SPEC.field("names").field("kind"),
                    spec.path("names").path("kind"),
                    old.path("spec").path("names").path("kind"));
        }
    }

    private void immutable(FieldPath at, JsonNode now, JsonNode then) {
        if (!now.equals(then)) {
            findings.invalid(at, Findings.shown(now), "field is immutable");
        }
    }

    /** Objects may still be stored in each of them. */
    private void storedVersions() {
        Set<String> present = new HashSet<>();
        spec.path("versions").forEach(version -> present.add(text(version, "name")));
        JsonNode stored = definition.path("status").path("storedVersions");
        for (int i = 0; i < stored.size(); i++) {
            if (!present.contains(stored.path(i).asText())) {
                findings.invalid(
                        FieldPath.of("status.storedVersions").at(i),
                        Findings.shown(stored.path(i)),
                        "must appear in spec.versions");
            }
        }
    }

    private static String text(JsonNode parent, String name) {
        return parent.path(name).asText("");
    }
}
