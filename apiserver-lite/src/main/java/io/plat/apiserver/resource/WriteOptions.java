package io.plat.apiserver.resource;

import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;

/**
 * How a create, an update or a patch is meant.
 *
 * @param dryRun go all the way and write nothing
 * @param fieldValidation what becomes of fields that the type does not have
 * @param roleCheck whether role objects may be written so by whoever asks
 */
public record WriteOptions(boolean dryRun, FieldValidation fieldValidation, RoleWriteCheck roleCheck) {
    /** What becomes of unknown fields: they are never stored. */
    public enum FieldValidation {
        /** Dropped silently. */
        IGNORE,
        /** Dropped with a warning: the default. */
        WARN,
        /** Refused. */
        STRICT
    }

    private static final List<String> VALIDATIONS = List.of("", "Ignore", "Strict", "Warn");

    /** A plain write of the server's own. */
    public static final WriteOptions DEFAULT = new WriteOptions(false, FieldValidation.WARN);

    public WriteOptions {
        Objects.requireNonNull(fieldValidation);
        Objects.requireNonNull(roleCheck);
    }

    /** A write of the server's own. */
    public WriteOptions(boolean dryRun, FieldValidation fieldValidation) {
        this(dryRun, fieldValidation, RoleWriteCheck.NONE);
    }

    /** The same for somebody whose writes of role objects are checked. */
    public WriteOptions checking(RoleWriteCheck check) {
        return new WriteOptions(dryRun, fieldValidation, check);
    }

    /**
     * The options that a query has; {@code ""} is what it has not.
     *
     * @param kind what the field calls the options of this verb, such as {@code PatchOptions}
     * @throws StatusException 422 if one of them can't be meant
     */
    public static WriteOptions of(String kind, String dryRun, String fieldValidation) throws StatusException {
        var causes = new Causes();
        DeleteOptions.checkStages(dryRun.isEmpty() ? List.of() : List.of(dryRun), causes);
        FieldValidation validation = switch (fieldValidation) {
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default -> FieldValidation.WARN;
        };
        if (!VALIDATIONS.contains(fieldValidation)) {
            causes.notSupported("fieldValidation", fieldValidation, VALIDATIONS);
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions(kind, causes.list());
        }
        return new WriteOptions(!dryRun.isEmpty(), validation);
    }
}
