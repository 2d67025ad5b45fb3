package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.rules.Causes;
import java.util.Set;

/**
 * Number of combinations of groups, resources, names and verbs in the rules of a role. The decision index has an entry for each, and all
 * writers wait for it. Standard verbs share one entry; others are counted.
 */
final class RoleSize {
    /** Maximum number; the largest default role has some hundreds. */
    static final long MAX_COMBINATIONS = 1_000_000;

    private static final Set<String> OF_REQUESTS =
            Set.of("* get list watch create update patch delete deletecollection proxy redirect".split(" ", -1));

    private RoleSize() {}

    /** Returns whether an object's rules exceed the maximum, and reports it. */
    static boolean isTooLarge(JsonNode role, Causes causes) {
        long all = 0;
        for (JsonNode rule : role.path("rules")) {
            all += combinations(rule);
            if (all > MAX_COMBINATIONS) {
                causes.add(
                        "FieldValueTooMany",
                        "Too many: " + all + ": the rules must stand for at most " + MAX_COMBINATIONS
                                + " combinations of apiGroups, resources, resourceNames and further verbs",
                        "rules");
                return true;
            }
        }
        return false;
    }

    /** Lists are limited by the size of the body, so that the product of four does not overflow. */
    private static long combinations(JsonNode rule) {
        long verbs = 0;
        for (JsonNode verb : rule.path("verbs")) {
            verbs += OF_REQUESTS.contains(verb.asText()) ? 0 : 1;
        }
        long groups = Math.max(1, rule.path("apiGroups").size());
        long resources = Math.max(1, rule.path("resources").size());
        long names = Math.max(1, rule.path("resourceNames").size());
        long product = Math.max(1, verbs) * groups;
        product = product > MAX_COMBINATIONS ? product : product * resources;
        return product > MAX_COMBINATIONS ? product : product * names;
    }
}
