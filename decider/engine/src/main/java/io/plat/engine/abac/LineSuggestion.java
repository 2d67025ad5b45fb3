package io.plat.engine.abac;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Suggestion;
import io.plat.review.json.JsonText;
import java.nio.charset.StandardCharsets;

/**
 * Suggestion of a line that would allow a request, for its user alone. A line cannot be limited to a verb, an object or a subresource, so it
 * grants more than the request; the note describes the excess.
 */
final class LineSuggestion {
    /** Version that kube-apiserver reads too. */
    private static final String HEADER =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{";

    private final StringBuilder line = new StringBuilder(HEADER);
    private final boolean readonly;

    private LineSuggestion(Attributes request) {
        this.readonly = AbacLine.reads(request.access().verb());
        field("user", request.user().name());
    }

    static Suggestion of(Attributes request) {
        String impossible = impossible(request);
        if (!impossible.isEmpty()) {
            return Suggestion.none(AbacAuthorizer.MODE, "no policy line is suggested: " + impossible);
        }
        LineSuggestion suggestion = new LineSuggestion(request);
        String scope = switch (request.access()) {
            case ResourceAttributes resource -> suggestion.resource(resource);
            case NonResourceAttributes path -> suggestion.path(path);
        };
        return suggestion.finished(scope);
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

    private String resource(ResourceAttributes resource) {
        if (!resource.namespace().isEmpty()) {
            field("namespace", resource.namespace());
        }
        if (!resource.group().isEmpty()) {
            field("apiGroup", resource.group());
        }
        field("resource", resource.resource());
        boolean everything =
                resource.resource().equals(AbacLine.ANY) || resource.group().equals(AbacLine.ANY);
        return " with every object and subresource of " + (everything ? "every requested resource" : "that resource");
    }

    private String path(NonResourceAttributes path) {
        field("nonResourcePath", path.path());
        return "";
    }

    private void field(String name, String value) {
        line.append(line.charAt(line.length() - 1) == '{' ? "" : ",")
                .append(JsonText.quoted(name))
                .append(':')
                .append(JsonText.quoted(value));
    }

    private Suggestion finished(String scope) {
        line.append(readonly ? ",\"readonly\":true}}" : "}}");
        if (line.toString().getBytes(StandardCharsets.UTF_8).length > AbacFile.MAX_LINE_BYTES) {
            return Suggestion.none(AbacAuthorizer.MODE, "no policy line is suggested: it would be too long");
        }
        String verbs = readonly ? "the verbs get, list and watch" : "every verb";
        return new Suggestion(
                AbacAuthorizer.MODE, line.toString(), "a policy line cannot be narrower: it grants " + verbs + scope);
    }
}
