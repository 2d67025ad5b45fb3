package io.plat.apiserver.audit;

import java.util.Objects;

/**
 * A state of all that decides: another one whenever the policy is another.
 *
 * @param files the revision of what was read from files; {@code ""} where nothing is
 * @param roles which state of the stored role objects it is, counted since the start; 0 where they do not decide
 */
public record PolicyRevision(String files, long roles) {
    /** Nothing that has revisions decides. */
    public static final PolicyRevision NONE = new PolicyRevision("", 0);

    public PolicyRevision {
        Objects.requireNonNull(files);
    }

    /** Its name, {@code ""} for {@link #NONE}. */
    public String text() {
        if (roles == 0) {
            return files;
        }
        return files.isEmpty() ? "roles-" + roles : files + "+roles-" + roles;
    }
}
