package io.plat.tests.apiserver.escalation;

import java.util.Locale;

/** A request by which a role object comes to be, or to change. */
enum Way {
    CREATE("POST", false),
    DRY_RUN("POST", false),
    PUT_CREATE("PUT", false),
    PUT("PUT", true),
    PUT_DRY_RUN("PUT", true),
    JSON_PATCH("PATCH", true),
    MERGE_PATCH("PATCH", true),
    STRATEGIC_PATCH("PATCH", true),
    APPLY("PATCH", true),
    /** Applied where nothing is yet. */
    APPLY_CREATE("PATCH", false),
    /** Deletes the collection that the object was in, then creates it again. */
    RECREATE("POST", false);

    private final String method;
    private final boolean changes;

    Way(String method, boolean changes) {
        this.method = method;
        this.changes = changes;
    }

    String method() {
        return method;
    }

    /** Returns whether the object exists before. */
    boolean changes() {
        return changes;
    }

    boolean writesNothing() {
        return this == DRY_RUN || this == PUT_DRY_RUN;
    }

    /** As files of cases write it. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static Way of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
