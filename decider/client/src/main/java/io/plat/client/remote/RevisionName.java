package io.plat.client.remote;

import org.jspecify.annotations.Nullable;

/** Names of revisions: words of visible ASCII, compared for equality and never ordered. */
final class RevisionName {
    private static final int MAX_LENGTH = 256;
    private static final int DIGEST = 12;

    private RevisionName() {}

    /** Returns the name, or {@code ""} if it is invalid, in which case the response has no revision. */
    static String of(@Nullable String text) {
        return text != null && isName(text) ? text : "";
    }

    /**
     * Returns the policy of a name. Deciders that only load files use a digest of the files and a local number; the digest is the same on all
     * deciders. Any other name identifies the policy as a whole.
     */
    static String policy(String name) {
        boolean digested = name.length() > DIGEST + 1 && name.length() <= DIGEST + 20 && name.charAt(DIGEST) == '-';
        for (int i = 0; digested && i < name.length(); i++) {
            char c = name.charAt(i);
            boolean digit = c >= '0' && c <= '9';
            digested = i == DIGEST || digit || (i < DIGEST && c >= 'a' && c <= 'f');
        }
        return digested ? name.substring(0, DIGEST) : name;
    }

    /** Returns whether a text is a valid name. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= MAX_LENGTH && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
