package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Collects validation errors, in the words of Kubernetes and within bounds. For one thread. Fields are named by texts, or by paths that are
 * written out only here; an error at a path is reported once, however often it is found.
 */
public final class Causes {
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");

    /** The most errors that are reported. */
    public static final int MOST = 100;

    /** The characters of all messages together, after which each is cut short. */
    private static final int MOST_CHARACTERS = 128 << 10;

    private static final int LONGEST = 8 << 10;
    private static final int SHORT = 256;

    private final List<Status.Cause> causes = new ArrayList<>();
    private final Set<String> fields = new HashSet<>();
    private final int most;
    private final boolean stops;
    private int found;
    private int characters;

    /** Collects the first errors; the checks go on. */
    public Causes() {
        this(MOST, false);
    }

    private Causes(int most, boolean stops) {
        this.most = most;
        this.stops = stops;
    }

    /** Ends checks that have found as much as is reported. */
    private static final class EnoughException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super("enough causes", null, false, false);
        }
    }

    /** Runs checks until they end, or have found as many errors as are reported. */
    public static List<Status.Cause> of(Consumer<Causes> checks) {
        return upTo(MOST, checks);
    }

    /** Returns whether checks find no error; they end with the first one. */
    public static boolean none(Consumer<Causes> checks) {
        return upTo(1, checks).isEmpty();
    }

    private static List<Status.Cause> upTo(int most, Consumer<Causes> checks) {
        var causes = new Causes(most, true);
        try {
            checks.accept(causes);
        } catch (EnoughException enough) {
            return causes.list();
        }
        return causes.list();
    }

    public void invalid(String field, String value, String why) {
        addInvalid(field, FieldWords.quoted(FieldWords.clipped(value)), why);
    }

    /** A value that is written without quotes, as numbers are. */
    public void invalidLiteral(String field, String value, String why) {
        addInvalid(field, FieldWords.clipped(value), why);
    }

    /** A value as it stands in the object; a missing node for one that does not. */
    public void invalidValue(String field, JsonNode value, String why) {
        addInvalid(field, FieldWords.clipped(FieldWords.shown(value)), why);
    }

    private void addInvalid(String field, String shown, String why) {
        add("FieldValueInvalid", FieldWords.invalid(shown, why), field);
    }

    /** Reports a list that is too long. */
    public void atMost(String field, int count, int most) {
        if (count > most) {
            add("FieldValueTooMany", FieldWords.tooMany(count, most), field);
        }
    }

    public void required(String field, String why) {
        add("FieldValueRequired", FieldWords.required(why), field);
    }

    public void forbidden(String field, String why) {
        add("FieldValueForbidden", FieldWords.forbidden(why), field);
    }

    public void tooLong(String field, int most) {
        add("FieldValueTooLong", FieldWords.tooLong(most), field);
    }

    public void notSupported(String field, String value, List<String> supported) {
        addNotSupported(field, FieldWords.quoted(FieldWords.clipped(value)), supported);
    }

    /** A value that is written without further quotes, as lists are. */
    public void notSupportedLiteral(String field, String value, List<String> supported) {
        addNotSupported(field, FieldWords.clipped(value), supported);
    }

    private void addNotSupported(String field, String shown, List<String> supported) {
        add("FieldValueNotSupported", FieldWords.notSupported(shown, supported), field);
    }

    /** Reports a value as messages show it. */
    public void invalid(FieldPath at, String shown, String why) {
        add("FieldValueInvalid", FieldWords.invalid(FieldWords.clipped(shown), why), at);
    }

    /** Reports a value of the wrong type, as messages show it. */
    public void wrongType(FieldPath at, String shown, String why) {
        add("FieldValueTypeInvalid", FieldWords.invalid(FieldWords.clipped(shown), why), at);
    }

    public void required(FieldPath at, String why) {
        add("FieldValueRequired", FieldWords.required(why), at);
    }

    public void forbidden(FieldPath at, String why) {
        add("FieldValueForbidden", FieldWords.forbidden(why), at);
    }

    /** Reports a value that stands there more than once, as messages show it. */
    public void duplicate(FieldPath at, String shown) {
        add("FieldValueDuplicate", FieldWords.duplicate(FieldWords.clipped(shown)), at);
    }

    /** Reports a value that is none of those that may be there, as messages show it. */
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

    public void tooLong(FieldPath at, long bytes) {
        add("FieldValueTooLong", FieldWords.tooLong(bytes), at);
    }

    public void tooMany(FieldPath at, long actual, long atMost) {
        add("FieldValueTooMany", FieldWords.tooMany(actual, atMost), at);
    }

    public void add(String reason, String message, FieldPath at) {
        var cause = new Status.Cause(reason, bounded(message), FieldWords.clipped(at.toString()));
        if (!causes.contains(cause)) {
            add(cause);
        }
    }

    public void add(String reason, String message, String field) {
        if (causes.size() < most) {
            fields.add(FieldWords.clipped(field));
        }
        add(new Status.Cause(reason, bounded(message), FieldWords.clipped(field)));
    }

    /** A message, cut off where what the client wrote makes it too long. */
    private String bounded(String message) {
        return FieldWords.clipped(message, characters > MOST_CHARACTERS ? SHORT : LONGEST);
    }

    private void add(Status.Cause cause) {
        found++;
        if (causes.size() < most) {
            characters += cause.message().length();
            causes.add(cause);
        }
        if (stops && causes.size() == most) {
            throw new EnoughException();
        }
    }

    /** The number of causes found so far, reported or not. */
    int found() {
        return found;
    }

    /** Returns whether a cause at a field was found already. */
    public boolean mentions(String field) {
        return fields.contains(FieldWords.clipped(field));
    }

    /** Reports that rules in CEL were not checked, as other errors come first. */
    public void unchecked() {
        String why =
                "some validation rules were not checked because the object was invalid; correct the existing errors"
                        + " to complete validation";
        invalid(FieldPath.of("<nil>"), "null", why);
    }

    /** Returns whether there is an error after which rules in CEL can't be trusted to find what they expect. */
    public boolean isBlocking() {
        return causes.stream().anyMatch(cause -> BLOCKING.contains(cause.reason()));
    }

    public boolean isEmpty() {
        return causes.isEmpty();
    }

    public List<Status.Cause> list() {
        return List.copyOf(causes);
    }
}
