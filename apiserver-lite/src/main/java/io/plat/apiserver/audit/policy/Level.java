package io.plat.apiserver.audit.policy;

/** Audit level; each level includes the one before. */
public enum Level {
    NONE("None"),
    /** Request metadata, such as user, verb and resource. */
    METADATA("Metadata"),
    REQUEST("Request"),
    REQUEST_RESPONSE("RequestResponse");

    private final String word;

    Level(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean includes(Level other) {
        return compareTo(other) >= 0;
    }
}
