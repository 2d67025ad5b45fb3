package io.plat.engine.webhook;

import io.plat.review.source.Quoted;

/** What a remote decider says, made fit for a log line and an answer. */
final class OneLine {
    private static final int LONGEST = 1024;

    private OneLine() {}

    /** The text on one line, cut after 1024 characters. */
    static String of(String text) {
        if (text.length() <= LONGEST) {
            return Quoted.oneLine(text);
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 1)) ? LONGEST - 1 : LONGEST;
        return Quoted.oneLine(text.substring(0, end)) + "…";
    }
}
