package io.plat.engine.abac;

import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Location;
import java.nio.charset.StandardCharsets;

/**
 * Suggestion of a line that would allow a request, for its user alone. A line cannot be limited to a verb, an object or a subresource, so it
 * grants more than the request; the note describes the excess.
 */
final class LineSuggestion {
    private static final Location NOWHERE = new Location("suggested", 0);

    private LineSuggestion() {}

    static Suggestion of(Attributes request) {
        String impossible = impossible(request);
        if (!impossible.isEmpty()) {
            return none(impossible);
        }
        AbacLine line = line(request);
        if (line.text().getBytes(StandardCharsets.UTF_8).length > AbacFile.MAX_LINE_BYTES) {
            return none("it would be too long");
        }
        String verbs = line.readonly() ? "the verbs get, list and watch" : "every verb";
        return new Suggestion(
                AbacAuthorizer.MODE,
                line.text(),
                "a policy line cannot be narrower: it grants " + verbs + scope(request.access()));
    }

    private static Suggestion none(String cause) {
        return Suggestion.none(AbacAuthorizer.MODE, "no policy line is suggested: " + cause);
    }

    private static AbacLine line(Attributes request) {
        String user = request.user().name();
        boolean readonly = AbacLine.reads(request.access().verb());
        return switch (request.access()) {
            case ResourceAttributes resource ->
                AbacLine.of(
                        NOWHERE, user, "", readonly, resource.group(), resource.namespace(), resource.resource(), "");
            case NonResourceAttributes path -> AbacLine.of(NOWHERE, user, "", readonly, "", "", "", path.path());
        };
    }

    private static String scope(AccessAttributes access) {
        if (access instanceof ResourceAttributes resource) {
            boolean everything =
                    resource.resource().equals(AbacLine.ANY) || resource.group().equals(AbacLine.ANY);
            return " with every object and subresource of "
                    + (everything ? "every requested resource" : "that resource");
        }
        return "";
    }

    /** Returns the reason why no line can allow the request without granting unrelated access, or {@code ""}. */
    private static String impossible(Attributes request) {
        String user = request.user().name();
        if (user.isEmpty()) {
            return "the request names no user, and a line for a group applies to all its members";
        }
        if (user.equals(AbacLine.ANY)) {
            return "user \"*\" is everybody in a line";
        }
        return switch (request.access()) {
            case ResourceAttributes resource -> impossible(resource);
            case NonResourceAttributes path -> impossible(path);
        };
    }

    private static String impossible(ResourceAttributes resource) {
        if (resource.resource().isEmpty()) {
            return "the request names no resource";
        }
        return resource.namespace().equals(AbacLine.ANY) ? "namespace \"*\" is every namespace in a line" : "";
    }

    private static String impossible(NonResourceAttributes path) {
        if (path.path().isEmpty()) {
            return "the request names no path";
        }
        return path.path().endsWith(AbacLine.ANY) ? "a path that ends with \"*\" is a prefix in a line" : "";
    }
}
