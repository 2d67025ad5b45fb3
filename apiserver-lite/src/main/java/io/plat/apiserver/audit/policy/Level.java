package io.plat.apiserver.audit.policy;

/** Audit level; each level includes the one before. */
public enum Level {
    /** Nothing. */
    NONE("None"),
    /** Request metadata, such as user, verb and resource. */
    METADATA("Metadata"),
    /** Request metadata and the request object. */
    REQUEST("Request"),
    /** Request metadata, request object and response object. */
    REQUEST_RESPONSE("RequestResponse");

    private final String word;

    Level(String word) {
        this.word = word;
    }

    /** Returns the name in policies and events. */
    public String word() {
        return word;
    }

    /** Returns whether this level is the other one or higher. */
    public boolean includes(Level other) {
        return compareTo(other) >= 0;
    }
}
