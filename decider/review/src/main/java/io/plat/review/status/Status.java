package io.plat.review.status;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failure in the form of the API (kind {@code Status}, apiVersion {@code v1}, status {@code Failure}).
 *
 * @param code the HTTP status code
 * @param reason the machine-readable reason
 * @param message one line for people, without internals
 * @param details the object of the failure, or null
 * @param continueToken a token to continue an expired list, {@code ""} for most failures
 */
public record Status(
        int code,
        StatusReason reason,
        String message,
        @Nullable Details details,
        String continueToken) {
    public Status {
        if (code < 400 || code > 599) {
            throw new IllegalArgumentException("not a failure: " + code);
        }
    }

    public Status(int code, StatusReason reason, String message, @Nullable Details details) {
        this(code, reason, message, details, "");
    }

    /** Creates a failure with the code of its reason. */
    public static Status of(StatusReason reason, String message) {
        return new Status(reason.code(), reason, message, null);
    }

    /** Returns this failure with details. */
    public Status withDetails(Details newDetails) {
        return new Status(code, reason, message, newDetails, continueToken);
    }

    /**
     * Returns this failure with details that only state when to retry.
     *
     * @param seconds the delay, in seconds
     */
    public Status withRetryAfter(int seconds) {
        return withDetails(new Details("", "", "", "", List.of(), seconds));
    }

    /** Returns this failure with a token for the rest of the list. */
    public Status withContinue(String token) {
        return new Status(code, reason, message, details, token);
    }

    /**
     * Details of a failure. Strings are {@code ""} if omitted.
     *
     * @param group the API group of the object's type
     * @param kind the resource (for most failures) or the kind (if the object is invalid), as in Kubernetes
     * @param causes the causes by field
     * @param retryAfterSeconds when to retry, in seconds; 0 if omitted
     */
    public record Details(
            String name, String group, String kind, String uid, List<Cause> causes, int retryAfterSeconds) {
        public Details {
            causes = List.copyOf(causes);
        }

        /** Returns details with only the identity of an object. */
        public static Details about(String group, String kind, String name) {
            return new Details(name, group, kind, "", List.of(), 0);
        }
    }

    /**
     * One cause of a failure.
     *
     * @param reason Kubernetes' reason, such as {@code FieldValueInvalid}
     * @param message one line for people
     * @param field the path of the field, such as {@code spec.user}; {@code ""} if there is none
     */
    public record Cause(String reason, String message, String field) {}
}
