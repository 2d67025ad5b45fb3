package io.plat.cli.why;

import static io.plat.cli.output.JsonAnswer.object;
import static io.plat.cli.output.JsonAnswer.unlessEmpty;

import io.plat.cli.output.JsonAnswer;
import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Alternatives to a new role for one user: a binding for a group of the user, one more subject of an existing binding, one more rule of an
 * existing role. An existing object is named by a near miss that lacks nothing else.
 *
 * @param user the user of the request
 * @param access the requested access
 * @param misses the near misses
 */
record GrantChoices(UserInfo user, AccessAttributes access, List<NearMiss> misses) {
    /** The name of an object, as the source of a grant has it; a name with other characters could not stand in a command. */
    private static final String NAME = "/(?:([a-z0-9-]+)/)?([\\w:.@-]+)(?= |$)";

    private static final Pattern BINDING = Pattern.compile("\\b((?:Cluster)?RoleBinding)" + NAME);
    private static final Pattern ROLE = Pattern.compile("-> ((?:Cluster)?Role)" + NAME);
    private static final Set<String> OF_SUBJECT = Set.of("user", "group");
    private static final Set<String> OF_RULE = Set.of("verb", "apiGroup", "resource", "subresource", "name", "path");

    /** Returns the choices, one line each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        user.groups().stream()
                .filter(group -> !group.startsWith("system:"))
                .forEach(group -> lines.add("--for group:" + Quoted.shortLine(group) + " grants it to that group"));
        for (Target target : targets()) {
            lines.add("--extend " + target.name()
                    + (target.isBinding()
                            ? " adds the user, who gets everything that it grants"
                            : " adds the rule, for everybody who has that role"));
        }
        return lines;
    }

    /**
     * Returns the command that extends an object; {@code ""} if that would not allow the request.
     *
     * @param name the object as the choices name it, or only its own name
     */
    String extension(String name) {
        for (Target target : targets()) {
            if (target.name().equals(name) || target.name().endsWith("/" + name)) {
                return target.patch(target.isBinding() ? subject() : rule());
            }
        }
        return "";
    }

    private Set<Target> targets() {
        Set<Target> targets = new TreeSet<>((a, b) -> a.name().compareTo(b.name()));
        for (NearMiss miss : misses) {
            if (OF_SUBJECT.containsAll(miss.lacks())) {
                add(BINDING, miss.grant(), "subjects", targets);
            } else if (OF_RULE.containsAll(miss.lacks())) {
                add(ROLE, miss.grant(), "rules", targets);
            }
        }
        return targets;
    }

    private static void add(Pattern form, NamedGrant grant, String list, Set<Target> targets) {
        Matcher found = form.matcher(grant.source());
        if (found.find()) {
            String namespace = found.group(2) == null ? "" : found.group(2);
            targets.add(new Target(found.group(1), namespace, found.group(3), list));
        }
    }

    /**
     * An existing object.
     *
     * @param list the field to extend
     */
    private record Target(String kind, String namespace, String own, String list) {
        String name() {
            return kind + "/" + (namespace.isEmpty() ? "" : namespace + "/") + own;
        }

        boolean isBinding() {
            return list.equals("subjects");
        }

        /** Returns the command, with single quotes in its JSON as a shell needs them. */
        String patch(Object value) {
            Object patch = List.of(object("op", "add", "path", "/" + list + "/-", "value", value));
            String json = new String(JsonAnswer.of(patch), StandardCharsets.UTF_8).replace("'", "'\\''");
            return "kubectl patch " + kind.toLowerCase(Locale.ROOT) + " '" + own + "'"
                    + (namespace.isEmpty() ? "" : " -n " + namespace) + " --type=json -p '" + json + "'";
        }
    }

    private Object subject() {
        SubjectName name = SubjectName.user(user.name());
        boolean account = name.kind() == SubjectName.Kind.SERVICE_ACCOUNT;
        return object(
                "kind",
                name.kind().word(),
                "apiGroup",
                account ? null : ApiGroups.RBAC,
                "namespace",
                account ? name.namespace() : null,
                "name",
                name.name());
    }

    private Object rule() {
        return switch (access) {
            case NonResourceAttributes path ->
                object("verbs", List.of(path.verb()), "nonResourceURLs", List.of(path.path()));
            case ResourceAttributes asked ->
                object(
                        "verbs", List.of(asked.verb()),
                        "apiGroups", List.of(asked.group()),
                        "resources",
                                List.of(asked.resource()
                                        + (asked.subresource().isEmpty() ? "" : "/" + asked.subresource())),
                        "resourceNames", unlessEmpty(asked.name().isEmpty() ? List.of() : List.of(asked.name())));
        };
    }
}
