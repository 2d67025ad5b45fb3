package io.plat.apiserver.resource;

import java.util.Objects;

/**
 * How a create or an update is meant.
 *
 * @param dryRun go all the way and write nothing
 * @param fieldValidation what becomes of fields that the type does not have
 */
public record WriteOptions(boolean dryRun, FieldValidation fieldValidation) {
    /** What becomes of unknown fields: they are never stored. */
    public enum FieldValidation {
        /** Dropped silently. */
        IGNORE,
        /** Dropped with a warning: the default. */
        WARN,
        /** Refused. */
        STRICT
    }

    /** A plain write. */
    public static final WriteOptions DEFAULT = new WriteOptions(false, FieldValidation.WARN);

    public WriteOptions {
        Objects.requireNonNull(fieldValidation);
    }
}
