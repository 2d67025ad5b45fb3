package io.plat.tests.model;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Model of ABAC: a request is allowed if at least one line matches it (specification, "ABAC mode", 2). */
final class AbacModel {
    private static final Set<String> READS = Set.of("get", "list", "watch");

    private final List<JsonNode> lines;

    AbacModel(List<JsonNode> lines) {
        this.lines = List.copyOf(lines);
    }

    /** Returns the position of the first matching line, or -1. */
    int firstMatch(Attributes request) {
        for (int i = 0; i < lines.size(); i++) {
            JsonNode line = lines.get(i);
            if (line.has("spec") ? versioned(line.get("spec"), request) : earlier(line, request)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the attributes that a line does not match; none for a line about the other kind of request. */
    Optional<Set<String>> lacks(int position, Attributes request) {
        JsonNode line = lines.get(position);
        return line.has("spec") ? lacksVersioned(line.get("spec"), request) : lacksEarlier(line, request);
    }

    private static Optional<Set<String>> lacksVersioned(JsonNode spec, Attributes request) {
        Set<String> lacks = new TreeSet<>();
        String user = text(spec, "user");
        String group = text(spec, "group");
        note(
                lacks,
                "user",
                user.isEmpty() ? !group.isEmpty() : is(user, request.user().name()));
        note(lacks, "group", group.isEmpty() || inGroup(group, request.user()));
        noteVerb(lacks, spec, request);
        switch (request.access()) {
            case ResourceAttributes resource -> {
                if (text(spec, "resource").isEmpty()) {
                    return Optional.empty();
                }
                note(lacks, "resource", is(text(spec, "resource"), resource.resource()));
                note(lacks, "namespace", is(text(spec, "namespace"), resource.namespace()));
                note(lacks, "apiGroup", isGroup(text(spec, "apiGroup"), resource.group()));
            }
            case NonResourceAttributes path -> {
                if (text(spec, "nonResourcePath").isEmpty()) {
                    return Optional.empty();
                }
                note(lacks, "path", covers(text(spec, "nonResourcePath"), path.path()));
            }
        }
        return Optional.of(lacks);
    }

    private static Optional<Set<String>> lacksEarlier(JsonNode line, Attributes request) {
        Set<String> lacks = new TreeSet<>();
        String user = text(line, "user");
        String group = text(line, "group");
        String namespace = text(line, "namespace");
        String resource = text(line, "resource");
        note(lacks, "user", user.isEmpty() || is(user, request.user().name()));
        String requested = user.isEmpty() && group.isEmpty() ? "system:authenticated" : group;
        note(lacks, "group", requested.isEmpty() || inGroup(requested, request.user()));
        noteVerb(lacks, line, request);
        switch (request.access()) {
            case ResourceAttributes access -> {
                note(lacks, "namespace", namespace.isEmpty() || is(namespace, access.namespace()));
                note(lacks, "resource", resource.isEmpty() || is(resource, access.resource()));
            }
            case NonResourceAttributes path -> {
                if (!namespace.isEmpty() || !resource.isEmpty()) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(lacks);
    }

    private static void noteVerb(Set<String> lacks, JsonNode node, Attributes request) {
        note(
                lacks,
                "verb",
                !node.path("readonly").asBoolean(false)
                        || READS.contains(request.access().verb()));
    }

    private static void note(Set<String> lacks, String attribute, boolean matches) {
        if (!matches) {
            lacks.add(attribute);
        }
    }

    private static boolean versioned(JsonNode spec, Attributes request) {
        String user = text(spec, "user");
        String group = text(spec, "group");
        boolean namesSubject = !user.isEmpty() || !group.isEmpty();
        return namesSubject
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
                    case ResourceAttributes requested ->
                        (namespace.isEmpty() || is(namespace, requested.namespace()))
                                && (resource.isEmpty() || is(resource, requested.resource()));
                    case NonResourceAttributes path -> namespace.isEmpty() && resource.isEmpty();
                };
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asText("");
    }

    private static boolean is(String written, String requested) {
        return written.equals("*") || written.equals(requested);
    }

    private static boolean inGroup(String written, UserInfo user) {
        return written.equals("*") || user.groups().contains(written);
    }

    private static boolean isGroup(String written, String requested) {
        return written.equals("*") || Aliases.sameGroup(written, requested);
    }

    private static boolean covers(String written, String path) {
        return written.endsWith("*")
                ? path.startsWith(written.substring(0, written.length() - 1))
                : written.equals(path);
    }
}
