package io.plat.apiserver.audit.policy;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a request has come to when an event of it is recorded. */
public enum Stage {
    /** Nothing was done for it yet. */
    REQUEST_RECEIVED("RequestReceived"),
    /** The head of an answer that lasts, such as a watch's, is sent. */
    RESPONSE_STARTED("ResponseStarted"),
    /** It is answered. */
    RESPONSE_COMPLETE("ResponseComplete"),
    /** The server failed on it. */
    PANIC("Panic");

    private final String word;

    Stage(String word) {
        this.word = word;
    }

    /** As policies and events write it. */
    public String word() {
        return word;
    }

    static Optional<Stage> of(String word) {
        return Arrays.stream(values()).filter(stage -> stage.word.equals(word)).findFirst();
    }

    static String words() {
        return Arrays.stream(values()).map(Stage::word).collect(Collectors.joining(", "));
    }
}
