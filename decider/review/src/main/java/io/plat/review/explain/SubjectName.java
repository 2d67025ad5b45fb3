package io.plat.review.explain;

import io.plat.review.UserInfo;
import java.util.Comparator;

/**
 * A subject of grants.
 *
 * @param kind the kind of subject
 * @param name the user name, group or name of the service account; {@code *} for everybody
 * @param namespace the service account's namespace, else {@code ""}
 * @param inGroup an additional group that the user must have, for policy lines; {@code ""} for none
 */
public record SubjectName(Kind kind, String name, String namespace, String inGroup) implements Comparable<SubjectName> {
    /** Every request, with any user and groups. */
    public static final SubjectName EVERYBODY = new SubjectName(Kind.EVERYBODY, "*", "", "");

    private static final Comparator<SubjectName> ORDER = Comparator.comparing(SubjectName::kind)
            .thenComparing(SubjectName::namespace)
            .thenComparing(SubjectName::name)
            .thenComparing(SubjectName::inGroup);

    /** The kinds of subjects, as role objects name them. */
    public enum Kind {
        /** Everybody: a user with a wildcard name, in a separate field of responses. */
        EVERYBODY("User"),
        /** Everybody in a group. */
        GROUP("Group"),
        USER("User"),
        SERVICE_ACCOUNT("ServiceAccount");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        public String word() {
            return word;
        }
    }

    public static SubjectName group(String name) {
        return new SubjectName(Kind.GROUP, name, "", "");
    }

    /** Returns the subject of a user name, which may be a service account's. */
    public static SubjectName user(String name) {
        return user(name, "");
    }

    /**
     * Returns the subject of a user name within a group.
     *
     * @param inGroup {@code ""} for any
     */
    public static SubjectName user(String name, String inGroup) {
        if (name.startsWith(UserInfo.SERVICE_ACCOUNT_USER)) {
            String[] parts =
                    name.substring(UserInfo.SERVICE_ACCOUNT_USER.length()).split(":", -1);
            if (parts.length == 2 && !parts[0].isEmpty() && !parts[1].isEmpty()) {
                return new SubjectName(Kind.SERVICE_ACCOUNT, parts[1], parts[0], inGroup);
            }
        }
        return new SubjectName(Kind.USER, name, "", inGroup);
    }

    @Override
    public int compareTo(SubjectName other) {
        return ORDER.compare(this, other);
    }
}
