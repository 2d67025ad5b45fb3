package io.plat.apiserver.audit.policy;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** How much of a request is recorded; each level is all of the one before and more. */
public enum Level {
    /** Nothing. */
    NONE("None"),
    /** Who asked for what, and what became of it. */
    METADATA("Metadata"),
    /** The object that was sent, too. */
    REQUEST("Request"),
    /** The object that was answered, too. */
    REQUEST_RESPONSE("RequestResponse");

    private final String word;

    Level(String word) {
        this.word = word;
    }

    /** As policies and events write it. */
    public String word() {
        return word;
    }

    /** Whether this is another level or more. */
    public boolean includes(Level other) {
        return compareTo(other) >= 0;
    }

    static Optional<Level> of(String word) {
        return Arrays.stream(values()).filter(level -> level.word.equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(Level::word).collect(Collectors.joining(", "));
    }
}
