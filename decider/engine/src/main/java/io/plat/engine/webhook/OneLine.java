package io.plat.engine.webhook;

import io.plat.review.source.Quoted;

/** What another server says, made fit for a log line, an answer and a terminal. */
public final class OneLine {
    private static final int LONGEST = 1024;

    private OneLine() {}

    /** The text on one line without control characters, cut after 1024 characters. */
    public static String of(String text) {
        if (text.length() <= LONGEST) {
            return Quoted.oneLine(text);
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return Quoted.oneLine(text.substring(0, end)) + "…";
    }
}
