package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacGrant;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.manifest.ManifestText;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.explain.SubjectName;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import io.plat.tls.files.Sha256;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Suggestion of a role and a binding that would allow a request: its verb on its resource, for its user alone, in its namespace. They are new
 * objects, so that applying them changes no existing object.
 */
final class RoleSuggestion {
    private static final int MAX_LENGTH = 64 << 10;
    /** Length of the readable prefix of a name, which is followed by a hash. */
    private static final int READABLE = 40;

    private static final int DIGITS = 8;

    /** Valid names of namespaces (RFC 1123 label). */
    private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?");

    private final List<RbacPolicy> policies;
    private final Attributes request;
    private final String namespace;
    private final List<String> notes = new ArrayList<>();

    private RoleSuggestion(List<RoleObjects> indexes, Attributes request) {
        this.policies = indexes.stream().map(RoleObjects::policy).toList();
        this.request = request;
        this.namespace = request.access() instanceof ResourceAttributes resource ? resource.namespace() : "";
    }

    static Suggestion of(List<RoleObjects> indexes, Attributes request) {
        return new RoleSuggestion(indexes, request).suggestion();
    }

    private Suggestion suggestion() {
        String impossible = impossible();
        if (!impossible.isEmpty()) {
            return none(impossible);
        }
        RbacRule rule = RbacRule.of(request.access());
        noteExcess();
        String name = name();
        if (namespace.isEmpty()) {
            String aggregator = aggregatorOf(RbacRole.clusterRole(name, List.of(rule)));
            if (!aggregator.isEmpty()) {
                return none("ClusterRole/" + aggregator + " would aggregate it and pass it on");
            }
        }
        String text = manifests(name, rule);
        return text.length() > MAX_LENGTH
                ? none("it would be too long")
                : new Suggestion(RbacGrant.MODE, text, String.join("; ", notes));
    }

    private static Suggestion none(String cause) {
        return Suggestion.none(RbacGrant.MODE, "no role is suggested: " + cause);
    }

    /** Returns the reason why no rule can allow the request without granting unrelated access, or {@code ""}. */
    private String impossible() {
        if (request.user().name().isEmpty()) {
            return "the request names no user, and a grant to a group applies to all its members";
        }
        if (request.access().verb().isEmpty()) {
            return "the request has no verb";
        }
        return switch (request.access()) {
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

    /** Notes what the rule for the request covers besides it. */
    private void noteExcess() {
        noteIfAll(request.access().verb(), "verb");
        if (request.access() instanceof ResourceAttributes resource) {
            noteIfAll(resource.group(), "API group");
            noteIfAll(resource.resource(), "resource");
            if (namespace.isEmpty()) {
                notes.add("the request has no namespace, and a rule that covers it applies in every namespace too");
            }
        }
    }

    private void noteIfAll(String value, String what) {
        if (value.equals(RbacRule.ALL)) {
            notes.add("the request is for every " + what + ", and so is the grant");
        }
    }

    /** Returns an unused name, which only depends on the request unless it is taken. */
    private String name() {
        String target = switch (request.access()) {
            case ResourceAttributes resource -> resource.resource();
            case NonResourceAttributes path -> path.path();
        };
        String words = String.join(" ", request.user().name(), request.access().verb(), target);
        String dashed =
                words.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceFirst("^-", "");
        String readable =
                dashed.substring(0, Math.min(READABLE, dashed.length())).replaceFirst("-$", "") + "-";
        for (int attempt = 0; ; attempt++) {
            String digest = Sha256.hex(attempt + " " + request.user().name() + " " + request.access());
            String name = readable + digest.substring(0, DIGITS);
            if (policies.stream().noneMatch(policy -> isTaken(policy, name))) {
                return name;
            }
        }
    }

    private boolean isTaken(RbacPolicy policy, String name) {
        ObjectKey role = new ObjectKey(roleKind(), namespace, name);
        ObjectKey binding = new ObjectKey(bindingKind(), namespace, name);
        return policy.roles().stream().anyMatch(one -> one.key().equals(role))
                || policy.bindings().stream().anyMatch(one -> one.key().equals(binding) || role.equals(one.role()));
    }

    private RbacKind roleKind() {
        return namespace.isEmpty() ? RbacKind.CLUSTER_ROLE : RbacKind.ROLE;
    }

    private RbacKind bindingKind() {
        return namespace.isEmpty() ? RbacKind.CLUSTER_ROLE_BINDING : RbacKind.ROLE_BINDING;
    }

    /** Returns the first role by name that would aggregate a role, or {@code ""}. */
    private String aggregatorOf(RbacRole role) {
        for (RbacPolicy policy : policies) {
            String first = policy.roles().stream()
                    .filter(other -> other.selects(role))
                    .map(other -> other.key().name())
                    .min(String::compareTo)
                    .orElse("");
            if (!first.isEmpty()) {
                return first;
            }
        }
        return "";
    }

    /** Returns both objects as manifests. */
    private String manifests(String name, RbacRule rule) {
        SubjectName user = SubjectName.user(request.user().name());
        String apiGroup = user.kind() == SubjectName.Kind.SERVICE_ACCOUNT ? "" : ApiGroups.RBAC;
        RbacSubject subject = new RbacSubject(user.kind().word(), apiGroup, user.namespace(), user.name());
        return RbacObject.grant(namespace, name, List.of(rule), subject).stream()
                .map(ManifestText::of)
                .collect(Collectors.joining("---\n"));
    }
}
