package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.custom.Conditions.Said;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which of the names that a definition asks for it gets: those that no other of its group has. What it once got it keeps, whatever it
 * asks for.
 */
final class NameDecision {
    private final Set<String> resources = new HashSet<>();
    private final Set<String> kinds = new HashSet<>();
    private @Nullable Said conflict;

    private NameDecision(Collection<Definition> group) {
        for (Definition each : group) {
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
     * The definition with its names and conditions decided; empty where they are already.
     *
     * @param group all definitions of its group
     * @param now the time, as metadata has it
     */
    static Optional<ObjectNode> decide(Definition definition, Collection<Definition> group, String now) {
        ObjectNode decided = definition.tree();
        new NameDecision(group).apply(definition.spec().path("names"), decided, now);
        return decided.path("status").equals(definition.status()) ? Optional.empty() : Optional.of(decided);
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
        conditions.say(
                conflict == null
                        ? new Said(Conditions.NAMES_ACCEPTED, true, "NoConflicts", "no conflicts found")
                        : conflict,
                now);
        if (!conditions.isTrue(Conditions.ESTABLISHED)) {
            conditions.say(
                    conflict == null
                            ? new Said(
                                    Conditions.ESTABLISHED,
                                    true,
                                    "InitialNamesAccepted",
                                    "the initial names have been accepted")
                            : new Said(Conditions.ESTABLISHED, false, "NotAccepted", "not all names are accepted"),
                    now);
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
        conflict = new Said(Conditions.NAMES_ACCEPTED, false, reason, "\"" + wanted + "\" is already in use");
    }

    private void shortNames(JsonNode asked, ObjectNode accepted) {
        Set<String> own = new HashSet<>();
        accepted.path("shortNames").forEach(name -> own.add(name.asText()));
        for (JsonNode name : asked) {
            if (!own.contains(name.asText()) && resources.contains(name.asText())) {
                conflict = new Said(
                        Conditions.NAMES_ACCEPTED,
                        false,
                        "ShortNamesConflict",
                        "\"" + name.asText() + "\" is already in use");
                return;
            }
        }
        accepted.remove("shortNames");
        if (!asked.isEmpty()) {
            accepted.set("shortNames", asked);
        }
    }
}
