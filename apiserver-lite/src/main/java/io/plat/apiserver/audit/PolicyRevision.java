package io.plat.apiserver.audit;

/**
 * Revision of the authorization policy as a whole.
 *
 * @param files revision of the policy files; {@code ""} without files
 * @param roles number of changes of the stored role objects since the start; 0 if they are not used
 */
public record PolicyRevision(String files, long roles) {
    /** Revision of a policy without files and role objects. */
    public static final PolicyRevision NONE = new PolicyRevision("", 0);

    /** Returns the text form, {@code ""} for {@link #NONE}. */
    public String text() {
        if (roles == 0) {
            return files;
        }
        return files.isEmpty() ? "roles-" + roles : files + "+roles-" + roles;
    }
}
