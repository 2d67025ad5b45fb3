package io.plat.engine.abac;

import io.plat.review.explain.SubjectName;
import io.plat.review.json.JsonText;
import io.plat.review.source.Location;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A line of a policy file. Strings are {@code ""} if unset, which is the zero value and not a wildcard (specification, "ABAC policy object"). In
 * lines of the unversioned form, unset properties have been replaced by the values that they mean.
 *
 * @param where file and line
 * @param text the line as written, without surrounding space
 * @param user a user name, {@code *} for every request
 * @param group a group, {@code *} for every request
 * @param readonly whether only get, list and watch are covered
 * @param apiGroup an API group as written, {@code *} for all
 * @param namespace a namespace, {@code *} for all and for none
 * @param resource a resource, {@code *} for all; {@code ""} covers no resource
 * @param nonResourcePath a path; a trailing {@code *} makes it a prefix; {@code ""} covers no path
 */
public record AbacLine(
        Location where,
        String text,
        String user,
        String group,
        boolean readonly,
        String apiGroup,
        String namespace,
        String resource,
        String nonResourcePath) {
    /** Wildcard that matches any value. */
    public static final String ANY = "*";

    private static final String HEADER =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{";

    /** Returns a line with these values, and its text in the version that kube-apiserver reads too. */
    public static AbacLine of(
            Location where,
            String user,
            String group,
            boolean readonly,
            String apiGroup,
            String namespace,
            String resource,
            String nonResourcePath) {
        SequencedMap<String, String> spec = new LinkedHashMap<>();
        spec.put("user", user);
        spec.put("group", group);
        spec.put("namespace", namespace);
        spec.put("apiGroup", apiGroup);
        spec.put("resource", resource);
        spec.put("nonResourcePath", nonResourcePath);
        StringJoiner fields = new StringJoiner(",", HEADER, "}}");
        spec.forEach((name, value) -> {
            if (!value.isEmpty()) {
                fields.add(JsonText.quoted(name) + ":" + JsonText.quoted(value));
            }
        });
        if (readonly) {
            fields.add("\"readonly\":true");
        }
        return new AbacLine(
                where, fields.toString(), user, group, readonly, apiGroup, namespace, resource, nonResourcePath);
    }

    /** Returns whether a line with {@code readonly} covers the verb. */
    static boolean reads(String verb) {
        return verb.equals("get") || verb.equals("list") || verb.equals("watch");
    }

    /** Returns whether the line covers any resource. One with a subresource covers nothing, although the same rule of a role would. */
    public boolean coversResources() {
        return !resource.isEmpty() && resource.indexOf('/') < 0;
    }

    boolean namesSubject() {
        return !user.isEmpty() || !group.isEmpty();
    }

    /** Returns the subject that the line grants access, or null if it names none. */
    public @Nullable SubjectName subject() {
        if (!namesSubject()) {
            return null;
        }
        String anyGroup = group.equals(ANY) ? "" : group;
        if (!user.isEmpty() && !user.equals(ANY)) {
            return SubjectName.user(user, anyGroup);
        }
        return anyGroup.isEmpty() ? SubjectName.EVERYBODY : SubjectName.group(anyGroup);
    }
}
