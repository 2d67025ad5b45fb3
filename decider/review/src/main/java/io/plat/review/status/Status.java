package io.plat.review.status;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A failure as the API's clients read it (kind {@code Status}, apiVersion {@code v1}, status {@code Failure}).
 *
 * @param code the HTTP status code
 * @param reason the machine-readable reason
 * @param message one line for people, without any internal detail
 * @param details what the failure is about, or null
 * @param continueToken the token with which a list that expired can be continued all the same, {@code ""} for most failures
 */
public record Status(
        int code,
        StatusReason reason,
        String message,
        @Nullable Details details,
        String continueToken) {
    public Status {
        Objects.requireNonNull(reason);
        Objects.requireNonNull(message);
        Objects.requireNonNull(continueToken);
        if (code < 400 || code > 599) {
            throw new IllegalArgumentException("not a failure: " + code);
        }
    }

    /** A failure that offers no continuation. */
    public Status(int code, StatusReason reason, String message, @Nullable Details details) {
        this(code, reason, message, details, "");
    }

    /** A failure with the code that belongs to its reason. */
    public static Status of(StatusReason reason, String message) {
        return new Status(reason.code(), reason, message, null);
    }

    /** This failure, with what it is about. */
    public Status withDetails(Details newDetails) {
        return new Status(code, reason, message, newDetails, continueToken);
    }

    /** This failure, with a token for what is left of the list. */
    public Status withContinue(String token) {
        return new Status(code, reason, message, details, token);
    }

    /**
     * What a failure is about. Strings are {@code ""} where they say nothing.
     *
     * @param name the object's name
     * @param group the API group of the object's type
     * @param kind the resource (for most failures) or the kind (where the object is invalid), as the field writes it
     * @param uid the object's uid
     * @param causes what exactly was wrong, field by field
     * @param retryAfterSeconds when to try again, in seconds; 0 says nothing
     */
    public record Details(
            String name, String group, String kind, String uid, List<Cause> causes, int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }

        /** Details that name an object and nothing else. */
        public static Details about(String group, String kind, String name) {
            return new Details(name, group, kind, "", List.of(), 0);
        }
    }

    /**
     * One thing that was wrong.
     *
     * @param reason the field's word for it, such as {@code FieldValueInvalid}
     * @param message one line for people
     * @param field the path of the field, such as {@code spec.user}; {@code ""} where it is none
     */
    public record Cause(String reason, String message, String field) {}
}
