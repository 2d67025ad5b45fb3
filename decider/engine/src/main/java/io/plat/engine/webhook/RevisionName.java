package io.plat.engine.webhook;

import org.jspecify.annotations.Nullable;

/** What a decider may call a revision: a word of visible ASCII. Names are compared, never ordered: which is newer, a stream tells. */
final class RevisionName {
    private static final int LONGEST = 256;

    private RevisionName() {}

    /** The name, or {@code ""} for what is none: such an answer says nothing about its policy. */
    static String of(@Nullable String text) {
        return text != null && isName(text) ? text : "";
    }

    /** Whether a text is a name. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST && text.chars().allMatch(c -> c > ' ' && c < 0x7f);
    }
}
