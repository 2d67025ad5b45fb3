package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.Conditions.Condition;
import io.plat.apiserver.stored.StorageRegistry;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decision on the names of a definition: names are accepted if no other definition of its group has them. Accepted names are kept,
 * regardless of later requests. A definition in a group of built-in types has no names and is never established.
 */
final class NameDecision {
    private static final Condition NOT_ESTABLISHED =
            new Condition(Conditions.ESTABLISHED, false, "NotAccepted", "not all names are accepted");

    private static final Condition NO_CONFLICT =
            new Condition(Conditions.NAMES_ACCEPTED, true, "NoConflicts", "no conflicts found");
    private static final Condition INITIAL =
            new Condition(Conditions.ESTABLISHED, true, "InitialNamesAccepted", "the initial names have been accepted");

    private final Set<String> resources = new HashSet<>();
    private final Set<String> kinds = new HashSet<>();
    private @Nullable Condition conflict;

    private NameDecision(StorageRegistry.Names builtIn) {
        resources.addAll(builtIn.resources());
        kinds.addAll(builtIn.kinds());
    }

    private NameDecision(Collection<CustomResourceDefinition> group) {
        for (CustomResourceDefinition each : group) {
            JsonNode names = each.status().path("acceptedNames");
            add(resources, names.path("plural"));
            add(resources, names.path("singular"));
            names.path("shortNames").forEach(name -> add(resources, name));
            add(kinds, names.path("kind"));
            add(kinds, names.path("listKind"));
        }
    }

    private static void add(Set<String> into, JsonNode name) {
        if (!name.asText("").isEmpty()) {
            into.add(name.asText());
        }
    }

    /** Returns the definition with its names and conditions decided; empty if they already are. */
    static Optional<ObjectNode> decide(
            CustomResourceDefinition definition,
            Collection<CustomResourceDefinition> group,
            Optional<StorageRegistry.Names> builtIn,
            String now) {
        ObjectNode decided = definition.tree();
        if (builtIn.isPresent()) {
            reject(decided, builtIn.get(), now);
        } else {
            new NameDecision(group).apply(definition.spec().path("names"), decided, now);
        }
        ApiApproval.setCondition(decided, now);
        return decided.path("status").equals(definition.status()) ? Optional.empty() : Optional.of(decided);
    }

    static void reject(ObjectNode definition, StorageRegistry.Names builtIn, String now) {
        definition
                .withObject("/status")
                .putObject("acceptedNames")
                .put("plural", "")
                .put("kind", "");
        var decision = new NameDecision(builtIn);
        String group = definition.path("spec").path("group").asText();
        decision.conflict = new Condition(
                Conditions.NAMES_ACCEPTED, false, "PluralConflict", "the group \"" + group + "\" is already in use");
        decision.apply(definition.path("spec").path("names"), definition, now);
        new Conditions(definition).set(NOT_ESTABLISHED, now);
    }

    private void apply(JsonNode requested, ObjectNode definition, String now) {
        ObjectNode status = definition.withObject("/status");
        ObjectNode accepted = status.withObject("/acceptedNames");
        decide(requested, accepted, "plural", "PluralConflict", resources);
        decide(requested, accepted, "singular", "SingularConflict", resources);
        shortNames(requested.path("shortNames"), accepted);
        decide(requested, accepted, "kind", "KindConflict", kinds);
        decide(requested, accepted, "listKind", "ListKindConflict", kinds);
        accepted.remove("categories");
        if (!requested.path("categories").isEmpty()) {
            accepted.set("categories", requested.path("categories"));
        }
        Conditions conditions = new Conditions(definition);
        conditions.set(conflict == null ? NO_CONFLICT : conflict, now);
        if (!conditions.isTrue(Conditions.ESTABLISHED)) {
            conditions.set(conflict == null ? INITIAL : NOT_ESTABLISHED, now);
        }
    }

    private void decide(
            JsonNode requested, ObjectNode accepted, String field, String reason, Set<String> acceptedElsewhere) {
        String desired = requested.path(field).asText("");
        if (desired.equals(accepted.path(field).asText("")) || !acceptedElsewhere.contains(desired)) {
            if (!desired.isEmpty()) {
                accepted.put(field, desired);
            }
            return;
        }
        conflict = conflict(reason, desired);
    }

    private static Condition conflict(String reason, String name) {
        return new Condition(Conditions.NAMES_ACCEPTED, false, reason, "\"" + name + "\" is already in use");
    }

    private void shortNames(JsonNode requested, ObjectNode accepted) {
        Set<String> own = new HashSet<>();
        accepted.path("shortNames").forEach(name -> own.add(name.asText()));
        for (JsonNode name : requested) {
            if (!own.contains(name.asText()) && resources.contains(name.asText())) {
                conflict = conflict("ShortNamesConflict", name.asText());
                return;
            }
        }
        accepted.remove("shortNames");
        if (!requested.isEmpty()) {
            accepted.set("shortNames", requested);
        }
    }
}
