package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Set;

/** ABAC by its definition: a request is allowed if at least one line matches it (specification, "ABAC mode", 2). */
final class AbacModel {
    private static final Set<String> READS = Set.of("get", "list", "watch");

    private final List<JsonNode> lines;

    AbacModel(List<JsonNode> lines) {
        this.lines = List.copyOf(lines);
    }

    /** The position of the first line that matches, or -1. */
    int firstMatch(Attributes request) {
        for (int i = 0; i < lines.size(); i++) {
            JsonNode line = lines.get(i);
            if (line.has("spec") ? versioned(line.get("spec"), request) : earlier(line, request)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean versioned(JsonNode spec, Attributes request) {
        String user = text(spec, "user");
        String group = text(spec, "group");
        boolean namesSomebody = !user.isEmpty() || !group.isEmpty();
        return namesSomebody
                && (user.isEmpty() || is(user, request.user().name()))
                && (group.isEmpty() || inGroup(group, request.user()))
                && (!spec.path("readonly").asBoolean(false)
                        || READS.contains(request.access().verb()))
                && switch (request.access()) {
                    case ResourceAttributes resource ->
                        !text(spec, "resource").isEmpty()
                                && is(text(spec, "resource"), resource.resource())
                                && is(text(spec, "namespace"), resource.namespace())
                                && isGroup(text(spec, "apiGroup"), resource.group());
                    case NonResourceAttributes path ->
                        !text(spec, "nonResourcePath").isEmpty() && covers(text(spec, "nonResourcePath"), path.path());
                };
    }

    private static boolean earlier(JsonNode line, Attributes request) {
        String user = text(line, "user");
        String group = text(line, "group");
        String namespace = text(line, "namespace");
        String resource = text(line, "resource");
        boolean subject = (user.isEmpty() && group.isEmpty())
                ? request.user().groups().contains("system:authenticated")
                : (user.isEmpty() || is(user, request.user().name()))
                        && (group.isEmpty() || inGroup(group, request.user()));
        return subject
                && (!line.path("readonly").asBoolean(false)
                        || READS.contains(request.access().verb()))
                && switch (request.access()) {
                    case ResourceAttributes asked ->
                        (namespace.isEmpty() || is(namespace, asked.namespace()))
                                && (resource.isEmpty() || is(resource, asked.resource()));
                    case NonResourceAttributes path -> namespace.isEmpty() && resource.isEmpty();
                };
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    private static boolean is(String written, String asked) {
        return written.equals("*") || written.equals(asked);
    }

    private static boolean inGroup(String written, UserInfo user) {
        return written.equals("*") || user.groups().contains(written);
    }

    private static boolean isGroup(String written, String asked) {
        return written.equals("*") || Aliases.sameGroup(written, asked);
    }

    private static boolean covers(String written, String path) {
        return written.endsWith("*")
                ? path.startsWith(written.substring(0, written.length() - 1))
                : written.equals(path);
    }
}
