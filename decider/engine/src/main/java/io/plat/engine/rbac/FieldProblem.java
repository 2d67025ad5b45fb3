package io.plat.engine.rbac;

/**
 * A problem with one field of an object.
 *
 * @param field the path, such as {@code rules[0].verbs}
 * @param reason the reason in Kubernetes' terms
 * @param detail the problem and the expected value, for people; user input quoted; {@code ""} for none
 */
public record FieldProblem(String field, Reason reason, String detail) {
    /** Reasons of Status causes. */
    public enum Reason {
        /** A required value is missing. */
        REQUIRED("FieldValueRequired", "Required value"),
        /** The value is invalid. */
        INVALID("FieldValueInvalid", "Invalid value"),
        /** The value is not one of the supported values. */
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value"),
        /** The field must not be set. */
        FORBIDDEN("FieldValueForbidden", "Forbidden");

        private final String word;
        private final String phrase;

        Reason(String word, String phrase) {
            this.word = word;
            this.phrase = phrase;
        }

        /** Returns the machine-readable reason of a cause. */
        public String word() {
            return word;
        }

        /** Returns the beginning of Kubernetes' message. */
        public String phrase() {
            return phrase;
        }
    }

    /** Returns whether the value is missing or empty. */
    public boolean isOfMissing() {
        return reason == Reason.REQUIRED || detail.startsWith("\"\":");
    }

    /** Returns the message of a cause, as in Kubernetes. */
    public String message() {
        return reason.phrase() + (detail.isEmpty() ? "" : ": " + detail);
    }
}
