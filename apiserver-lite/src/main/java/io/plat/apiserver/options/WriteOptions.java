package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.type.Refusals;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a create, an update or a patch is meant.
 *
 * @param dryRun go all the way and write nothing
 * @param fieldValidation what becomes of fields that the type does not have
 * @param roleCheck whether role objects may be written so by whoever asks
 * @param manager what calls itself the owner of what is written
 * @param force whether an application takes fields that others own
 * @param requester the user who asks for it; null for the server itself, whose writes are not subject to admission
 */
public record WriteOptions(
        boolean dryRun,
        FieldValidation fieldValidation,
        RoleWriteCheck roleCheck,
        String manager,
        boolean force,
        @Nullable Requester requester) {
    /** How the server calls itself where it writes of its own accord. */
    private static final String SERVER = "apiserver-lite";

    private static final int LONGEST_MANAGER = 128;

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
        Objects.requireNonNull(manager);
    }

    /** A write of the server's own. */
    public WriteOptions(boolean dryRun, FieldValidation fieldValidation) {
        this(dryRun, fieldValidation, RoleWriteCheck.NONE, SERVER, false);
    }

    /** A write of the server's own under another name. */
    public WriteOptions(
            boolean dryRun, FieldValidation fieldValidation, RoleWriteCheck roleCheck, String manager, boolean force) {
        this(dryRun, fieldValidation, roleCheck, manager, force, null);
    }

    /** The same for somebody whose writes of role objects are checked. */
    public WriteOptions checking(RoleWriteCheck check) {
        return new WriteOptions(dryRun, fieldValidation, check, manager, force, requester);
    }

    /** The same for somebody who calls itself so. */
    public WriteOptions by(String name) {
        return new WriteOptions(dryRun, fieldValidation, roleCheck, name, force, requester);
    }

    /** The same for a user. */
    public WriteOptions of(Requester user) {
        return new WriteOptions(dryRun, fieldValidation, roleCheck, manager, force, user);
    }

    /** The user who asks for it; null for the server itself. */
    @Nullable
    public UserInfo author() {
        return requester == null ? null : requester.user();
    }

    /**
     * The options that a request has.
     *
     * @param kind what the field calls the options of this verb, such as {@code PatchOptions}
     * @param applies whether it is an application, whose manager has to be named and which alone can be forced
     * @throws StatusException 422 if one of them can't be meant
     */
    public static WriteOptions of(String kind, Asked asked, boolean applies) throws StatusException {
        var causes = new Causes();
        DeleteOptions.checkStages(asked.dryRun().isEmpty() ? List.of() : List.of(asked.dryRun()), causes);
        FieldValidation validation = switch (asked.fieldValidation()) {
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default -> FieldValidation.WARN;
        };
        if (applies && asked.fieldManager().isEmpty()) {
            causes.required("fieldManager", "is required for apply patch");
        }
        if (!applies && !asked.force().isEmpty()) {
            causes.forbidden("force", "may not be specified for non-apply patch");
        }
        if (asked.fieldManager().length() > LONGEST_MANAGER) {
            causes.tooLong("fieldManager", LONGEST_MANAGER);
        }
        if (asked.fieldManager().codePoints().anyMatch(Character::isISOControl)) {
            causes.invalid("fieldManager", asked.fieldManager(), "should only contain printable characters");
        }
        if (!VALIDATIONS.contains(asked.fieldValidation())) {
            causes.notSupported("fieldValidation", asked.fieldValidation(), VALIDATIONS);
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalidOptions(kind, causes.list());
        }
        String manager = asked.fieldManager().isEmpty() ? asked.agent() : asked.fieldManager();
        return new WriteOptions(
                !asked.dryRun().isEmpty(), validation, RoleWriteCheck.NONE, manager, truth(asked.force()));
    }

    private static boolean truth(String flag) {
        return !flag.isEmpty() && !flag.equals("0") && !flag.equalsIgnoreCase("false");
    }

    /**
     * What a request says; {@code ""} is what it does not.
     *
     * @param dryRun the parameter of that name
     * @param fieldValidation the parameter of that name
     * @param fieldManager the parameter of that name
     * @param force the parameter of that name
     * @param agent what the client calls itself, for where no manager is named
     */
    public record Asked(String dryRun, String fieldValidation, String fieldManager, String force, String agent) {}
}
