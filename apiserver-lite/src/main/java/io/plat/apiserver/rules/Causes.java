package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldWords;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Collects what is wrong with an object, field by field, in the field's wording: within bounds, however much that is. */
public final class Causes {
    /** The most that are told. */
    public static final int MOST = 100;

    private final List<Status.Cause> causes = new ArrayList<>();
    private final Set<String> fields = new HashSet<>();
    private boolean stops;
    private int found;

    /** Ends checks that have found as much as is reported. */
    private static final class EnoughException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        EnoughException() {
            super("enough causes", null, false, false);
        }
    }

    /** Runs checks until nothing is left to check, or as much is wrong as is reported. */
    public static List<Status.Cause> of(Consumer<Causes> checks) {
        var causes = new Causes();
        causes.stops = true;
        try {
            checks.accept(causes);
        } catch (EnoughException enough) {
            causes.stops = false;
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

    public void add(String reason, String message, String field) {
        found++;
        if (causes.size() < MOST) {
            causes.add(new Status.Cause(reason, message, FieldWords.clipped(field)));
            fields.add(FieldWords.clipped(field));
        } else if (stops) {
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

    public boolean isEmpty() {
        return causes.isEmpty();
    }

    public List<Status.Cause> list() {
        return List.copyOf(causes);
    }
}
