package io.plat.tests.apiserver.escalation;

import java.util.Locale;

/** A request that creates or changes a role object. */
enum WriteMethod {
    CREATE("POST", false),
    DRY_RUN("POST", false),
    PUT_CREATE("PUT", false),
    PUT("PUT", true),
    PUT_DRY_RUN("PUT", true),
    JSON_PATCH("PATCH", true),
    MERGE_PATCH("PATCH", true),
    STRATEGIC_PATCH("PATCH", true),
    APPLY("PATCH", true),
    /** Apply of a new object. */
    APPLY_CREATE("PATCH", false),
    /** deletecollection of the object, then a create. */
    RECREATE("POST", false);

    private final String method;
    private final boolean changes;

    WriteMethod(String method, boolean changes) {
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

    /** Returns its name in files of cases. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static WriteMethod of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
