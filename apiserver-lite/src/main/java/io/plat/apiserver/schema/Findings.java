package io.plat.apiserver.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.review.status.Status;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Collects validation errors, in the words of Kubernetes and within bounds. For one thread. */
public final class Findings {
    /** The most errors that are reported. */
    private static final int MOST = 100;

    private final Set<Status.Cause> causes = new LinkedHashSet<>();
    private final int most;
    private final boolean stops;

    /** Collects the first errors; the checks go on. */
    public Findings() {
        this(MOST, false);
    }

    private Findings(int most, boolean stops) {
        this.most = most;
        this.stops = stops;
    }

    /** Ends checks that have found as many errors as are reported. */
    private static final class EnoughException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super("enough findings", null, false, false);
        }
    }

    /** Runs checks until they end, or have found as many errors as are reported. */
    public static List<Status.Cause> of(Consumer<Findings> checks) {
        return upTo(MOST, checks);
    }

    /** Returns whether checks find no error; they end with the first one. */
    public static boolean none(Consumer<Findings> checks) {
        return upTo(1, checks).isEmpty();
    }

    private static List<Status.Cause> upTo(int most, Consumer<Findings> checks) {
        var findings = new Findings(most, true);
        try {
            checks.accept(findings);
        } catch (EnoughException enough) {
            return findings.list();
        }
        return findings.list();
    }

    /** Something is wrong with a value. */
    public void invalid(FieldPath at, String shown, String why) {
        add("FieldValueInvalid", FieldWords.invalid(FieldWords.clipped(shown), why), at);
    }

    /** A value is of the wrong type. */
    public void wrongType(FieldPath at, String shown, String why) {
        add("FieldValueTypeInvalid", FieldWords.invalid(FieldWords.clipped(shown), why), at);
    }

    /** A value has to be there. */
    public void required(FieldPath at, String why) {
        add("FieldValueRequired", FieldWords.required(why), at);
    }

    /** A value must not be there. */
    public void forbidden(FieldPath at, String why) {
        add("FieldValueForbidden", FieldWords.forbidden(why), at);
    }

    /** A value stands there more than once. */
    public void duplicate(FieldPath at, String shown) {
        add("FieldValueDuplicate", FieldWords.duplicate(FieldWords.clipped(shown)), at);
    }

    /** A value is none of those that may be there. */
    public void notSupported(FieldPath at, String shown, List<String> supported) {
        add("FieldValueNotSupported", FieldWords.notSupported(FieldWords.clipped(shown), supported), at);
    }

    /** Requires that a text is empty or one of those that are supported. */
    public void oneOf(FieldPath at, String value, List<String> supported) {
        if (!value.isEmpty() && !supported.contains(value)) {
            notSupported(at, FieldWords.quoted(value), supported);
        }
    }

    /** Requires a name that has no problem. */
    public void name(FieldPath at, String name, List<String> problems) {
        if (!problems.isEmpty()) {
            invalid(at, FieldWords.quoted(name), String.join(",", problems));
        }
    }

    /** A value is too long. */
    public void tooLong(FieldPath at, long most) {
        add("FieldValueTooLong", FieldWords.tooLong(most), at);
    }

    /** There are too many values. */
    public void tooMany(FieldPath at, long actual, long most) {
        add("FieldValueTooMany", "Too many: " + actual + ": must have at most " + most + " items", at);
    }

    /** Something is wrong with a value, for a reason that is named. */
    public void add(String reason, String message, FieldPath at) {
        if (causes.size() < most) {
            causes.add(new Status.Cause(reason, message, at.toString()));
        }
        if (stops && causes.size() == most) {
            throw new EnoughException();
        }
    }

    /** Returns whether there is no error. */
    public boolean isEmpty() {
        return causes.isEmpty();
    }

    /** Returns the errors. */
    public List<Status.Cause> list() {
        return List.copyOf(causes);
    }

    /** Returns a value as messages show it. */
    public static String shown(JsonNode value) {
        return value.isTextual() ? FieldWords.quoted(value.textValue()) : value.toString();
    }
}
