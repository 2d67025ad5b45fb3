package io.plat.engine.abac;

import io.plat.review.explain.SubjectName;
import io.plat.review.source.Location;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A line of a policy file. Strings are {@code ""} where unset, which is the zero value and no wildcard (specification, "ABAC
 * policy object"). Lines of the earlier form have been given the values that their unset properties stand for.
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
    /** The name of what matches any value. */
    public static final String ANY = "*";

    public AbacLine {
        Objects.requireNonNull(where);
        Objects.requireNonNull(text);
        Objects.requireNonNull(user);
        Objects.requireNonNull(group);
        Objects.requireNonNull(apiGroup);
        Objects.requireNonNull(namespace);
        Objects.requireNonNull(resource);
        Objects.requireNonNull(nonResourcePath);
    }

    /** Whether a verb is one of those that a line with {@code readonly} covers. */
    static boolean reads(String verb) {
        return verb.equals("get") || verb.equals("list") || verb.equals("watch");
    }

    /** Whether there is anybody whom it can allow something. */
    boolean namesSomebody() {
        return !user.isEmpty() || !group.isEmpty();
    }

    /** Whom it allows something, or null where it names nobody. */
    public @Nullable SubjectName subject() {
        if (!namesSomebody()) {
            return null;
        }
        String anyGroup = group.equals(ANY) ? "" : group;
        if (!user.isEmpty() && !user.equals(ANY)) {
            return SubjectName.user(user, anyGroup);
        }
        return anyGroup.isEmpty() ? SubjectName.EVERYBODY : SubjectName.group(anyGroup);
    }
}
