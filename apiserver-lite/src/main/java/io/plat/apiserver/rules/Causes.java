package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.node.TextNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.review.status.Status;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Collector of validation errors, with Kubernetes' limits. Not thread-safe. A {@link Field} reports its errors here, as often as they are
 * found; schemas and expressions report theirs at paths, where an error is reported once.
 */
public final class Causes {
    private static final Set<String> BLOCKING = Set.of(
            "FieldValueNotSupported",
            "FieldValueRequired",
            "FieldValueTooLong",
            "FieldValueTooMany",
            "FieldValueTypeInvalid");

    /** Maximum number of reported errors. */
    public static final int MAX_CAUSES = 100;

    /** Total length of messages after which each is truncated, in characters. */
    private static final int MAX_CHARACTERS = 128 << 10;

    private static final int MAX_MESSAGE_LENGTH = 8 << 10;
    private static final int SHORT = 256;

    private final List<Status.Cause> causes = new ArrayList<>();
    private final Set<String> fields = new HashSet<>();
    private final List<Status.Cause> deferred = new ArrayList<>();
    private final int maxCauses;
    private final boolean stops;
    private int found;
    private int characters;

    /** Creates a collector of the first errors, for checks that run to their end. */
    public Causes() {
        this(MAX_CAUSES, false);
    }

    private Causes(int maxCauses, boolean stops) {
        this.maxCauses = maxCauses;
        this.stops = stops;
    }

    /** Ends checks that have found the maximum number of errors. */
    private static final class LimitReachedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        LimitReachedException() {
            super("enough causes", null, false, false);
        }
    }

    /** Runs checks until they end, or have found the maximum number of errors. */
    public static List<Status.Cause> of(Consumer<Causes> checks) {
        return upTo(MAX_CAUSES, checks);
    }

    /** Returns whether checks find no error; they stop at the first one. */
    public static boolean none(Consumer<Causes> checks) {
        return upTo(1, checks).isEmpty();
    }

    private static List<Status.Cause> upTo(int maxCauses, Consumer<Causes> checks) {
        var causes = new Causes(maxCauses, true);
        try {
            checks.accept(causes);
        } catch (LimitReachedException enough) {
            return causes.list();
        }
        return causes.list();
    }

    public Field field(String path, String text) {
        return Field.of(path, TextNode.valueOf(text), this);
    }

    /** Reports an invalid value in displayed form. */
    public void invalid(FieldPath at, String badValue, String detail) {
        add("FieldValueInvalid", FieldErrorMessages.invalid(FieldErrorMessages.clipped(badValue), detail), at);
    }

    public void wrongType(FieldPath at, String badValue, String detail) {
        add("FieldValueTypeInvalid", FieldErrorMessages.invalid(FieldErrorMessages.clipped(badValue), detail), at);
    }

    public void required(FieldPath at, String detail) {
        add("FieldValueRequired", FieldErrorMessages.required(detail), at);
    }

    public void forbidden(FieldPath at, String detail) {
        add("FieldValueForbidden", FieldErrorMessages.forbidden(detail), at);
    }

    public void duplicate(FieldPath at, String badValue) {
        add("FieldValueDuplicate", FieldErrorMessages.duplicate(FieldErrorMessages.clipped(badValue)), at);
    }

    /** Reports an unsupported value in displayed form. */
    public void notSupported(FieldPath at, String badValue, List<String> supported) {
        add(
                "FieldValueNotSupported",
                FieldErrorMessages.notSupported(FieldErrorMessages.clipped(badValue), supported),
                at);
    }

    public void name(FieldPath at, String name, List<String> problems) {
        if (!problems.isEmpty()) {
            invalid(at, FieldErrorMessages.quoted(name), String.join(",", problems));
        }
    }

    public void tooLong(FieldPath at, long bytes) {
        add("FieldValueTooLong", FieldErrorMessages.tooLong(bytes), at);
    }

    public void tooMany(FieldPath at, long actual, long atMost) {
        add("FieldValueTooMany", FieldErrorMessages.tooMany(actual, atMost), at);
    }

    public void add(String reason, String message, FieldPath at) {
        var cause = new Status.Cause(reason, bounded(message), FieldErrorMessages.clipped(at.toString()));
        if (!causes.contains(cause)) {
            add(cause);
        }
    }

    public void add(String reason, String message, String field) {
        if (causes.size() < maxCauses) {
            fields.add(FieldErrorMessages.clipped(field));
        }
        add(new Status.Cause(reason, bounded(message), FieldErrorMessages.clipped(field)));
    }

    /** Returns a message, truncated if the client's input makes it too long. */
    private String bounded(String message) {
        return FieldErrorMessages.clipped(message, characters > MAX_CHARACTERS ? SHORT : MAX_MESSAGE_LENGTH);
    }

    private void add(Status.Cause cause) {
        found++;
        if (causes.size() < maxCauses) {
            characters += cause.message().length();
            causes.add(cause);
        }
        if (stops && causes.size() == maxCauses) {
            throw new LimitReachedException();
        }
    }

    /** Keeps causes that were found elsewhere until their field is checked, so that all are in the order of the rules. */
    public void defer(List<Status.Cause> others) {
        deferred.addAll(others);
    }

    void addDeferred(FieldPath at) {
        addDeferred(cause -> cause.field().equals(FieldErrorMessages.clipped(at.toString())));
    }

    public void addDeferred(Predicate<Status.Cause> wanted) {
        // Hardly any object has one, and even an empty stream has a cost.
        if (!deferred.isEmpty()) {
            List<Status.Cause> some = deferred.stream().filter(wanted).toList();
            deferred.removeAll(some);
            some.forEach(cause -> add(cause.reason(), cause.message(), cause.field()));
        }
    }

    /** Returns the number of causes found so far, reported or not. */
    public int found() {
        return found;
    }

    public boolean mentions(String field) {
        return fields.contains(FieldErrorMessages.clipped(field));
    }

    public boolean mentionsBelow(String field) {
        return fields.stream().anyMatch(found -> found.startsWith(field + "."));
    }

    boolean mentionsSibling(String field) {
        String object = field.substring(0, field.lastIndexOf('.') + 1);
        return fields.stream().anyMatch(found -> found.startsWith(object));
    }

    /** Counts the fields that were reported below a path as mentioned below another one too, their actual path in the object. */
    void alsoMention(String reported, String actual) {
        List.copyOf(fields).stream()
                .filter(field -> field.startsWith(reported))
                .forEach(field -> fields.add(actual + field.substring(reported.length())));
    }

    /** Reports that CEL rules were skipped because of earlier errors. */
    public void unchecked() {
        String detail =
                "some validation rules were not checked because the object was invalid; correct the existing errors"
                        + " to complete validation";
        invalid(FieldPath.of("<nil>"), "null", detail);
    }

    /** Returns whether an error makes the evaluation of CEL rules unreliable. */
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
