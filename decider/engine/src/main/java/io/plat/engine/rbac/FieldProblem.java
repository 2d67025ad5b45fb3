package io.plat.engine.rbac;

import java.util.Objects;

/**
 * A problem with one field of an object.
 *
 * @param field the path, such as {@code rules[0].verbs}
 * @param reason the reason in Kubernetes' terms
 * @param detail the problem and the expected value, for people; user input quoted
 */
public record FieldProblem(String field, Reason reason, String detail) {
    public FieldProblem {
        Objects.requireNonNull(field);
        Objects.requireNonNull(reason);
        Objects.requireNonNull(detail);
    }

    /** The words that Status causes use. */
    public enum Reason {
        /** It has to be there. */
        REQUIRED("FieldValueRequired", "Required value"),
        /** Its value can't be. */
        INVALID("FieldValueInvalid", "Invalid value"),
        /** Its value is none of those that can be. */
        NOT_SUPPORTED("FieldValueNotSupported", "Unsupported value");

        private final String word;
        private final String phrase;

        Reason(String word, String phrase) {
            this.word = word;
            this.phrase = phrase;
        }

        /** The machine-readable reason of a cause. */
        public String word() {
            return word;
        }

        /** Returns the first words of Kubernetes' message. */
        public String phrase() {
            return phrase;
        }
    }

    /** The message of a cause, as the field writes it. */
    public String message() {
        return reason.phrase() + ": " + detail;
    }
}
