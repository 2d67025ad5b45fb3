package io.plat.engine.webhook;

import org.jspecify.annotations.Nullable;

/** What a decider may call a revision: a word of visible ASCII. Names are compared, never ordered: which is newer, a stream tells. */
final class RevisionName {
    private static final int LONGEST = 256;
    private static final int DIGEST = 12;

    private RevisionName() {}

    /** The name, or {@code ""} for what is none: such an answer says nothing about its policy. */
    static String of(@Nullable String text) {
        return text != null && isName(text) ? text : "";
    }

    /**
     * The policy that a name stands for. Deciders of this project that load files alone call it by a digest of those and a number of their
     * own: the digest is the same wherever the files are. Any other name is the policy's as a whole.
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

    /** Whether a text is a name. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
