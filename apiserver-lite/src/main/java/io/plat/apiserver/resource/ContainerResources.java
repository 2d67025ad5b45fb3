package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** What is wrong with what a container asks for and may have at most: in the words of existing servers. */
final class ContainerResources {
    private static final List<String> KINDS = List.of("limits", "requests");

    private ContainerResources() {}

    /** Checks limits and requests that stand at a path. */
    static void check(String path, JsonNode resources, Causes causes) {
        for (String kind : KINDS) {
            for (Map.Entry<String, JsonNode> amount : resources.path(kind).properties()) {
                String field = path + "." + kind + "[" + amount.getKey() + "]";
                ResourceNames.checkOfContainer(field, amount.getKey(), amount.getValue(), causes);
            }
        }
        for (Map.Entry<String, JsonNode> asked : resources.path("requests").properties()) {
            checkAsked(path, asked, resources.path("limits").path(asked.getKey()), causes);
        }
        boolean counted = names(resources, name -> name.equals("cpu") || name.equals("memory"));
        if (!counted && names(resources, ResourceNames::huge)) {
            causes.forbidden(path, "HugePages require cpu or memory");
        }
    }

    private static void checkAsked(String path, Map.Entry<String, JsonNode> asked, JsonNode limit, Causes causes) {
        String name = asked.getKey();
        boolean overcommitted = ResourceNames.overcommitted(name);
        if (limit.isMissingNode()) {
            if (!overcommitted) {
                causes.required(path + ".limits", "Limit must be set for non overcommitable resources");
            }
            return;
        }
        int order = QualityOfService.amount(asked.getValue()).compareTo(QualityOfService.amount(limit));
        if (order != 0 && !overcommitted) {
            causes.invalid(
                    path + ".requests",
                    asked.getValue().asText(),
                    "must be equal to " + name + " limit of " + limit.asText());
        } else if (order > 0) {
            causes.invalid(
                    path + ".requests",
                    asked.getValue().asText(),
                    "must be less than or equal to " + name + " limit of " + limit.asText());
        }
    }

    private static boolean names(JsonNode resources, Predicate<String> which) {
        for (String kind : KINDS) {
            for (Map.Entry<String, JsonNode> amount : resources.path(kind).properties()) {
                if (which.test(amount.getKey())) {
                    return true;
                }
            }
        }
        return false;
    }
}
