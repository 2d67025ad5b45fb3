package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.tree.Json;
import io.plat.cel.text.IpLiterals;
import io.plat.review.NameRule;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Value under validation, with its path and the collector of errors. An absent field is represented as well: its value is a missing node.
 * Members are accessed by name, list elements by iteration.
 */
public record Field(FieldPath path, JsonNode value, JsonNode old, Causes causes) implements Iterable<Field> {
    private static final JsonNode MISSING = MissingNode.getInstance();

    public static Field of(JsonNode object, Causes causes) {
        return of(object, null, causes);
    }

    /** Returns the root of an object and its previous state, null for a new object. */
    public static Field of(JsonNode object, @Nullable JsonNode before, Causes causes) {
        return new Field(FieldPath.ROOT, object, before == null ? MISSING : before, causes);
    }

    public static Field of(String path, JsonNode value, Causes causes) {
        return new Field(FieldPath.of(path), value, MISSING, causes);
    }

    public Field at(String name) {
        return new Field(path.field(name), value.path(name), old.path(name), causes);
    }

    /** Returns a value of any origin, reported as a member. */
    public Field as(String name, JsonNode other) {
        return new Field(path.field(name), other, MISSING, causes);
    }

    public Field key(String key) {
        return new Field(path.key(key), value.path(key), old.path(key), causes);
    }

    /** Returns a value of any origin, reported as a map entry. */
    public Field key(String key, JsonNode other) {
        return new Field(path.key(key), other, MISSING, causes);
    }

    public List<Field> entries() {
        return value.isEmpty()
                ? List.of()
                : value.properties().stream()
                        .map(entry -> key(entry.getKey(), entry.getValue()))
                        .toList();
    }

    /** Passes the fields at a path of the language of rules to an action. */
    public void each(String at, Consumer<Field> action) {
        Path.of(at).each(FieldPosition.of(this, ""), (field, position) -> action.accept(field));
    }

    public Field element(int index) {
        return new Field(path.at(index), value.path(index), MISSING, causes);
    }

    Field reportedAt(FieldPath other) {
        return new Field(other, value, old, causes);
    }

    /** Returns another value, reported at this path. */
    public Field with(JsonNode other) {
        return new Field(path, other, MISSING, causes);
    }

    @Override
    public Iterator<Field> iterator() {
        // Most lists are absent, and even an empty stream has a cost.
        return value.isEmpty()
                ? Collections.emptyIterator()
                : IntStream.range(0, value.size()).mapToObj(this::element).iterator();
    }

    /** Returns the string, or {@code ""}. */
    public String text() {
        return value.asText("");
    }

    /** Returns the string of a member, or {@code ""}. */
    public String text(String name) {
        return value.path(name).asText("");
    }

    public List<String> texts() {
        return Json.texts(value);
    }

    public boolean has(String name) {
        return value.has(name);
    }

    public boolean is(String text) {
        return text().equals(text);
    }

    public boolean isMissing() {
        return value.isMissingNode();
    }

    /** Returns whether the value has neither text nor elements nor members. */
    public boolean isEmpty() {
        return value.isEmpty() && text().isEmpty();
    }

    public boolean isNumber() {
        return value.isNumber();
    }

    public long number() {
        return value.asLong();
    }

    public boolean flag() {
        return value.asBoolean();
    }

    public void required(String detail) {
        add("FieldValueRequired", FieldErrorMessages.required(detail));
    }

    public void forbidden(String detail) {
        add("FieldValueForbidden", FieldErrorMessages.forbidden(detail));
    }

    public void invalid(String detail) {
        invalid(text(), detail);
    }

    public void invalid(String badValue, String detail) {
        add("FieldValueInvalid", FieldErrorMessages.invalid(quoted(badValue), detail));
    }

    /** Reports an invalid value without quotes, such as a number. */
    public void invalidLiteral(String badValue, String detail) {
        add("FieldValueInvalid", FieldErrorMessages.invalid(FieldErrorMessages.clipped(badValue), detail));
    }

    /** Reports the value as invalid, in the form of the object. */
    public void invalidValue(String detail) {
        invalidLiteral(FieldErrorMessages.shown(value), detail);
    }

    public void duplicate(String badValue) {
        add("FieldValueDuplicate", FieldErrorMessages.duplicate(quoted(badValue)));
    }

    public void notFound() {
        add("FieldValueNotFound", "Not found: " + quoted(text()));
    }

    public void tooLong(int max) {
        add("FieldValueTooLong", FieldErrorMessages.tooLong(max));
    }

    /** Reports an unsupported value: a string, or a list, an object or null in the form of the object. */
    public void notSupported(List<String> supported) {
        boolean text = !value.isContainerNode() && !value.isNull();
        String badValue = text ? quoted(text()) : FieldErrorMessages.clipped(FieldErrorMessages.shown(value));
        add("FieldValueNotSupported", FieldErrorMessages.notSupported(badValue, supported));
    }

    private static String quoted(String text) {
        return FieldErrorMessages.quoted(FieldErrorMessages.clipped(text));
    }

    public void add(String reason, String message) {
        causes.add(reason, message, path.toString());
    }

    /** Reports an empty value; returns whether it is present. */
    public boolean require(String detail) {
        if (isEmpty()) {
            required(detail);
        }
        return !isEmpty();
    }

    public void name(NameRule rule) {
        name(text(), rule);
    }

    /** Checks a name that is reported here. */
    public void name(String name, NameRule rule) {
        rule.problems(name).forEach(detail -> invalid(name, detail));
    }

    public void qualifiedName() {
        qualifiedName(text());
    }

    /** Checks a qualified name that is reported here. */
    public void qualifiedName(String name) {
        NameRule.qualifiedName(name).forEach(detail -> invalid(name, detail));
    }

    public void atMost(int max) {
        atMost(value.size(), max);
    }

    /** Checks the length of another list, reported here. */
    public void atMost(int size, int max) {
        if (size > max) {
            add("FieldValueTooMany", FieldErrorMessages.tooMany(size, max));
        }
    }

    public void address() {
        if (IpLiterals.address(text()).isEmpty()) {
            invalid(IpLiterals.MALFORMED);
        }
    }
}
