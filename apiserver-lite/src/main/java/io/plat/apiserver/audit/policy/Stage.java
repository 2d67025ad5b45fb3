package io.plat.apiserver.audit.policy;

/** Stage of a request at which an event is recorded. */
public enum Stage {
    /** The request was received and not processed yet. */
    REQUEST_RECEIVED("RequestReceived"),
    /** The headers of a streaming response, such as a watch's, were sent. */
    RESPONSE_STARTED("ResponseStarted"),
    RESPONSE_COMPLETE("ResponseComplete"),
    PANIC("Panic");

    private final String word;

    Stage(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
