package io.plat.engine.rbac.index;

import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The role and the binding that would allow a request: its verb on what it names, for its user alone, in its namespace. New objects,
 * so that applying them changes none that is there.
 */
final class RoleSuggestion {
    private static final int LONGEST = 64 << 10;

    /** What a namespace can be called (RFC 1123 label). */
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");

    private final List<RoleObjects> indexes;
    private final Attributes asked;
    private final List<String> notes = new ArrayList<>();

    private RoleSuggestion(List<RoleObjects> indexes, Attributes asked) {
        this.indexes = indexes;
        this.asked = asked;
    }

    static Suggestion of(List<RoleObjects> indexes, Attributes asked) {
        return new RoleSuggestion(indexes, asked).suggestion();
    }

    private Suggestion suggestion() {
        String impossible = impossible();
        if (!impossible.isEmpty()) {
            return none(impossible);
        }
        String namespace = asked.access() instanceof ResourceAttributes resource ? resource.namespace() : "";
        RbacRule rule = rule();
        String name = SuggestedName.of(
                asked, candidate -> indexes.stream().anyMatch(index -> index.isTaken(namespace, candidate)));
        if (namespace.isEmpty()) {
            RbacRole role = RbacRole.clusterRole(name, List.of(rule));
            for (RoleObjects index : indexes) {
                List<String> passedOn = index.aggregatorsOf(role);
                if (!passedOn.isEmpty()) {
                    return none("ClusterRole/" + passedOn.getFirst() + " would aggregate it and pass it on");
                }
            }
        }
        String text = new GrantManifests(name, namespace).of(rule, asked.user().name());
        return text.length() > LONGEST
                ? none("it would be too long")
                : new Suggestion(RbacGrant.MODE, text, String.join("; ", notes));
    }

    private static Suggestion none(String why) {
        return Suggestion.none(RbacGrant.MODE, "no role is suggested: " + why);
    }

    /** Why no rule can allow the request without allowing what nobody asked for, or {@code ""}. */
    private String impossible() {
        if (asked.user().name().isEmpty()) {
            return "the request names no user, and a grant to a group is for everybody in it";
        }
        if (asked.access().verb().isEmpty()) {
            return "the request has no verb";
        }
        return switch (asked.access()) {
            case ResourceAttributes resource -> impossible(resource);
            case NonResourceAttributes path -> impossible(path.path());
        };
    }

    private static String impossible(ResourceAttributes resource) {
        if (resource.resource().isEmpty()) {
            return "the request names no resource";
        }
        String namespace = resource.namespace();
        return namespace.isEmpty() || NAMESPACE.matcher(namespace).matches()
                ? ""
                : "no namespace can be called " + Quoted.of(namespace);
    }

    private static String impossible(String path) {
        if (path.isEmpty()) {
            return "the request names no path";
        }
        return path.endsWith("*") ? "a path that ends with \"*\" is a prefix in a rule" : "";
    }

    private RbacRule rule() {
        List<String> verbs = List.of(asked.access().verb());
        if (asked.access().verb().equals(RbacRule.ALL)) {
            notes.add("the request asks for every verb, and so much is granted");
        }
        return switch (asked.access()) {
            case ResourceAttributes resource -> rule(verbs, resource);
            case NonResourceAttributes path -> RbacRule.onPaths(verbs, List.of(path.path()));
        };
    }

    private RbacRule rule(List<String> verbs, ResourceAttributes resource) {
        if (resource.group().equals(RbacRule.ALL)) {
            notes.add("the request asks for every API group, and so much is granted");
        }
        if (resource.resource().equals(RbacRule.ALL)) {
            notes.add("the request asks for every resource, and so much is granted");
        }
        if (resource.namespace().isEmpty()) {
            notes.add("the request names no namespace, and what covers it holds in every namespace too");
        }
        String covered = resource.subresource().isEmpty()
                ? resource.resource()
                : resource.resource() + "/" + resource.subresource();
        List<String> names = resource.name().isEmpty() ? List.of() : List.of(resource.name());
        return new RbacRule(verbs, List.of(resource.group()), List.of(covered), names, List.of(), null);
    }
}
