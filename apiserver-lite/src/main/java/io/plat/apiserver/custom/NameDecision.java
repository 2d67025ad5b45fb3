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
 * Decision on the names of a definition: it is given those that no other definition of its group has. Accepted names are kept, whatever
 * is requested later. In a group of built-in types it has none and is never established.
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

    /**
     * Returns the definition with its names and conditions decided; empty if they already are.
     *
     * @param builtIn names of built-in types in its group, if the group has any
     * @param now current time, as in metadata
     */
    static Optional<ObjectNode> decide(
            CustomResourceDefinition definition,
            Collection<CustomResourceDefinition> group,
            Optional<StorageRegistry.Names> builtIn,
            String now) {
        ObjectNode decided = definition.tree();
        if (builtIn.isPresent()) {
            refuse(decided, builtIn.get(), now);
        } else {
            new NameDecision(group).apply(definition.spec().path("names"), decided, now);
        }
        ApiApproval.judge(decided, now);
        return decided.path("status").equals(definition.status()) ? Optional.empty() : Optional.of(decided);
    }

    /** Rejects a definition in a group of built-in types. */
    static void refuse(ObjectNode definition, StorageRegistry.Names builtIn, String now) {
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
        new Conditions(definition).say(NOT_ESTABLISHED, now);
    }

    private void apply(JsonNode asked, ObjectNode definition, String now) {
        ObjectNode status = definition.withObject("/status");
        ObjectNode accepted = status.withObject("/acceptedNames");
        name(asked, accepted, "plural", "PluralConflict", resources);
        name(asked, accepted, "singular", "SingularConflict", resources);
        shortNames(asked.path("shortNames"), accepted);
        name(asked, accepted, "kind", "KindConflict", kinds);
        name(asked, accepted, "listKind", "ListKindConflict", kinds);
        accepted.remove("categories");
        if (!asked.path("categories").isEmpty()) {
            accepted.set("categories", asked.path("categories"));
        }
        Conditions conditions = new Conditions(definition);
        conditions.say(conflict == null ? NO_CONFLICT : conflict, now);
        if (!conditions.isTrue(Conditions.ESTABLISHED)) {
            conditions.say(conflict == null ? INITIAL : NOT_ESTABLISHED, now);
        }
    }

    private void name(JsonNode asked, ObjectNode accepted, String field, String reason, Set<String> taken) {
        String wanted = asked.path(field).asText("");
        if (wanted.equals(accepted.path(field).asText("")) || !taken.contains(wanted)) {
            if (!wanted.isEmpty()) {
                accepted.put(field, wanted);
            }
            return;
        }
        conflict = conflict(reason, wanted);
    }

    private static Condition conflict(String reason, String name) {
        return new Condition(Conditions.NAMES_ACCEPTED, false, reason, "\"" + name + "\" is already in use");
    }

    private void shortNames(JsonNode asked, ObjectNode accepted) {
        Set<String> own = new HashSet<>();
        accepted.path("shortNames").forEach(name -> own.add(name.asText()));
        for (JsonNode name : asked) {
            if (!own.contains(name.asText()) && resources.contains(name.asText())) {
                conflict = conflict("ShortNamesConflict", name.asText());
                return;
            }
        }
        accepted.remove("shortNames");
        if (!asked.isEmpty()) {
            accepted.set("shortNames", asked);
        }
    }
}
