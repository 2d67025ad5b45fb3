package io.plat.apiserver.options;

import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.UserInfo;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a create, update, patch or apply.
 *
 * @param dryRun whether to process everything except the write itself
 * @param force whether an apply takes over fields of other owners
 * @param requester requesting user; null for the server itself, whose writes are not subject to admission
 */
public record WriteOptions(
        boolean dryRun,
        FieldValidation fieldValidation,
        WriteCheck check,
        String manager,
        boolean force,
        @Nullable Requester requester) {
    public static final String SERVER = "apiserver-lite";

    private static final int MAX_MANAGER_LENGTH = 128;

    /** Handling of unknown fields, which are never stored. */
    public enum FieldValidation {
        /** Dropped silently. */
        IGNORE,
        WARN,
        /** Rejected. */
        STRICT
    }

    private static final List<String> VALIDATIONS = List.of("", "Ignore", "Strict", "Warn");

    /** Default options of writes by the server itself. */
    public static final WriteOptions DEFAULT = new WriteOptions(false, FieldValidation.WARN);

    public WriteOptions(boolean dryRun, FieldValidation fieldValidation) {
        this(dryRun, fieldValidation, WriteCheck.NONE, SERVER, false, null);
    }

    public WriteOptions checking(WriteCheck by) {
        return new WriteOptions(dryRun, fieldValidation, by, manager, force, requester);
    }

    public WriteOptions of(Requester user) {
        return new WriteOptions(dryRun, fieldValidation, check, manager, force, user);
    }

    /** Returns the requesting user; null for the server itself. */
    @Nullable
    public UserInfo author() {
        return requester == null ? null : requester.user();
    }

    /** Adds warnings to the response; the server itself is not warned. */
    public void warn(List<String> warnings) {
        if (requester != null) {
            // Immediately, as requests that fail later carry warnings as well.
            warnings.forEach(requester::warn);
        }
    }

    /**
     * Parses the options of a request.
     *
     * @param kind kind of the options, such as {@code PatchOptions}
     * @param agent default field manager, by the user agent
     * @param applies whether it is an apply, which requires a field manager and alone permits force
     * @throws StatusException 422 for invalid options
     */
    public static WriteOptions of(String kind, QueryParameters query, String agent, boolean applies)
            throws StatusException {
        List<String> dryRun = query.values().getOrDefault("dryRun", List.of());
        String fieldValidation = query.first("fieldValidation").orElse("");
        String manager = query.first("fieldManager").orElse("");
        String force = kind.equals("PatchOptions") ? query.first("force").orElse("") : "";
        var causes = new Causes();
        FieldValidation validation = switch (fieldValidation) {
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default -> FieldValidation.WARN;
        };
        Field name = causes.field("fieldManager", manager);
        if (applies && manager.isEmpty()) {
            name.required("is required for apply patch");
        }
        if (!applies && !force.isEmpty()) {
            causes.field("force", force).forbidden("may not be specified for non-apply patch");
        }
        if (manager.length() > MAX_MANAGER_LENGTH) {
            name.tooLong(MAX_MANAGER_LENGTH);
        }
        for (int i = 0; i < manager.length(); i++) {
            char c = manager.charAt(i);
            if (Character.isISOControl(c)) {
                String place = String.format("invalid character U+%04X (at position %d)", (int) c, i);
                name.invalid(place);
            }
        }
        DeleteOptions.checkStages(dryRun, causes);
        if (!VALIDATIONS.contains(fieldValidation)) {
            causes.field("fieldValidation", fieldValidation).notSupported(VALIDATIONS);
        }
        ApiErrors.checkOptions(kind, causes);
        return new WriteOptions(
                !dryRun.isEmpty(),
                validation,
                WriteCheck.NONE,
                manager.isEmpty() ? agent : manager,
                parseBoolean(force),
                null);
    }

    private static boolean parseBoolean(String flag) {
        return !flag.isEmpty() && !flag.equals("0") && !flag.equalsIgnoreCase("false");
    }
}
