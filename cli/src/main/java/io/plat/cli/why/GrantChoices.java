package io.plat.cli.why;

import static io.plat.cli.output.JsonAnswer.object;

import io.plat.cli.output.JsonAnswer;
import io.plat.cli.process.CommandException;
import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.SubjectName;
import io.plat.review.source.Quoted;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Alternatives to a new role for one user: a binding for a group of the user, one more subject of an existing binding, one more rule of an
 * existing role. An existing object is named by a near miss that lacks nothing else.
 *
 * @param user the user of the request
 */
record GrantChoices(UserInfo user, AccessAttributes access, List<NearMiss> misses) {
    /** The name of an object, as the source of a grant has it; a name with other characters could not stand in a command. */
    private static final String NAME = "/(?:([a-z0-9-]+)/)?([\\w:.@-]+)(?= |$)";

    private static final Pattern BINDING = Pattern.compile("\\b((?:Cluster)?RoleBinding)" + NAME);
    private static final Pattern ROLE = Pattern.compile("-> ((?:Cluster)?Role)" + NAME);

    /** An object that Kubernetes creates and restores by itself. */
    private static final Pattern DEFAULT = Pattern.compile("/(?:system:|cluster-admin$)");

    private static final Set<String> OF_SUBJECT = Set.of("user", "group");
    private static final Set<String> OF_RULE = Set.of("verb", "apiGroup", "resource", "subresource", "name", "path");

    /** Returns the choices, one line each. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        user.groups().stream()
                .filter(group -> !group.startsWith("system:"))
                .forEach(group -> lines.add("--for group:" + Quoted.shortLine(group) + " grants it to that group"));
        patches().keySet().stream()
                .filter(name -> !DEFAULT.matcher(name).find())
                .forEach(name -> lines.add("--extend " + name
                        + (name.contains("Binding/")
                                ? " adds the user, who gets everything that it grants"
                                : " adds the rule, for everybody who has that role")));
        return lines;
    }

    /**
     * Returns the command that extends an object.
     *
     * @param object the object as the choices name it, or only its own name
     * @throws CommandException if that would not allow the request
     */
    String extension(String object) {
        return patches().entrySet().stream()
                .filter(one -> one.getKey().equals(object) || one.getKey().endsWith("/" + object))
                .findFirst()
                .map(Map.Entry::getValue)
                .orElseThrow(() -> CommandException.undetermined("--extend: adding to " + Quoted.of(object)
                        + " alone would not allow it, as far as the nearest grants show"));
    }

    /** Returns the commands, by the kind and name of the object. */
    private Map<String, String> patches() {
        Map<String, String> patches = new TreeMap<>();
        for (NearMiss miss : misses) {
            boolean binding = OF_SUBJECT.containsAll(miss.lacks());
            Matcher target = (binding ? BINDING : ROLE).matcher(miss.grant().source());
            if ((binding || OF_RULE.containsAll(miss.lacks())) && target.find()) {
                String namespace = Objects.requireNonNullElse(target.group(2), "");
                Object patch = object(
                        "op", "add",
                        "path", binding ? "/subjects/-" : "/rules/-",
                        "value", binding ? subject() : rule());
                // As a shell needs it in single quotes.
                String json = new String(JsonAnswer.of(List.of(patch)), StandardCharsets.UTF_8).replace("'", "'\\''");
                patches.put(
                        target.group(1) + "/" + (namespace.isEmpty() ? "" : namespace + "/") + target.group(3),
                        "kubectl patch " + target.group(1).toLowerCase(Locale.ROOT) + " '" + target.group(3) + "'"
                                + (namespace.isEmpty() ? "" : " -n " + namespace) + " --type=json -p '" + json + "'");
            }
        }
        return patches;
    }

    private Object subject() {
        SubjectName name = SubjectName.user(user.name());
        return name.kind() == SubjectName.Kind.SERVICE_ACCOUNT
                ? object("kind", name.kind().word(), "namespace", name.namespace(), "name", name.name())
                : object("kind", name.kind().word(), "apiGroup", ApiGroups.RBAC, "name", name.name());
    }

    private Object rule() {
        return switch (access) {
            case NonResourceAttributes path ->
                object("verbs", List.of(path.verb()), "nonResourceURLs", List.of(path.path()));
            case ResourceAttributes asked -> {
                String part = asked.subresource().isEmpty() ? "" : "/" + asked.subresource();
                yield object(
                        "verbs", List.of(asked.verb()),
                        "apiGroups", List.of(asked.group()),
                        "resources", List.of(asked.resource() + part),
                        "resourceNames", asked.name().isEmpty() ? null : List.of(asked.name()));
            }
        };
    }
}
