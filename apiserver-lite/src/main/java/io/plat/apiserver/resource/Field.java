package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldPath;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A value under validation, with the path by which messages name it and the causes that collect what is wrong with it. What an object
 * does not have is a field as well: its value is missing. Members are reached by name, and the elements of a list by iteration.
 */
record Field(FieldPath path, JsonNode value, Causes causes) implements Iterable<Field> {
    /** The whole of an object. */
    static Field of(JsonNode object, Causes causes) {
        return new Field(FieldPath.ROOT, object, causes);
    }

    /** A value that stands at a dotted path. */
    static Field of(String path, JsonNode value, Causes causes) {
        return new Field(FieldPath.of(path), value, causes);
    }

    /** The member of a name. */
    Field at(String name) {
        return as(name, value.path(name));
    }

    /** A value that messages place under a name of this one, wherever it is from. */
    Field as(String name, JsonNode other) {
        return new Field(path.field(name), other, causes);
    }

    /** What a map has under a key. */
    Field key(String key) {
        return key(key, value.path(key));
    }

    /** A value that messages place under a key of this one. */
    Field key(String key, JsonNode other) {
        return new Field(path.key(key), other, causes);
    }

    /** All that a map has. */
    List<Field> entries() {
        return value.isEmpty()
                ? List.of()
                : value.properties().stream()
                        .map(entry -> key(entry.getKey(), entry.getValue()))
                        .toList();
    }

    /** The element of a list at an index. */
    Field element(int index) {
        return new Field(path.at(index), value.path(index), causes);
    }

    @Override
    public Iterator<Field> iterator() {
        // Most lists of an object are not there, and a stream costs something even for these.
        return value.isEmpty()
                ? Collections.emptyIterator()
                : IntStream.range(0, value.size()).mapToObj(this::element).iterator();
    }

    /** The text, or {@code ""}. */
    String text() {
        return value.asText("");
    }

    /** The text of a member, or {@code ""}. */
    String text(String name) {
        return Json.text(value, name);
    }

    /** The texts of a list. */
    List<String> texts() {
        return MetadataRules.texts(value);
    }

    boolean has(String name) {
        return value.has(name);
    }

    boolean is(String text) {
        return text().equals(text);
    }

    boolean isMissing() {
        return value.isMissingNode();
    }

    /** Whether it has neither text nor elements nor members. */
    boolean isEmpty() {
        return value.isEmpty() && text().isEmpty();
    }

    boolean isNumber() {
        return value.isNumber();
    }

    long number() {
        return value.asLong();
    }

    boolean flag() {
        return value.asBoolean();
    }

    void required(String why) {
        causes.required(path.toString(), why);
    }

    void forbidden(String why) {
        causes.forbidden(path.toString(), why);
    }

    /** Reports its text. */
    void invalid(String why) {
        invalid(text(), why);
    }

    /** Reports a text in its place. */
    void invalid(String shown, String why) {
        causes.invalid(path.toString(), shown, why);
    }

    /** Reports what is written without quotes, such as a number. */
    void invalidLiteral(String shown, String why) {
        causes.invalidLiteral(path.toString(), shown, why);
    }

    /** Reports its value as the object has it. */
    void invalidValue(String why) {
        causes.invalidValue(path.toString(), value, why);
    }

    void duplicate(String shown) {
        causes.duplicate(path.toString(), shown);
    }

    void notFound() {
        causes.notFound(path.toString(), text());
    }

    void tooLong(int most) {
        causes.tooLong(path.toString(), most);
    }

    void notSupported(List<String> supported) {
        notSupported(text(), supported);
    }

    /** Reports a text in its place. */
    void notSupported(String shown, List<String> supported) {
        causes.notSupported(path.toString(), shown, supported);
    }

    /** Reports what is written without further quotes, such as a list. */
    void notSupportedLiteral(String shown, List<String> supported) {
        causes.notSupportedLiteral(path.toString(), shown, supported);
    }

    /** Reports a cause whose message is written already. */
    void add(String reason, String message) {
        causes.add(reason, message, path.toString());
    }

    /** Checks that it is not empty, and returns whether. */
    boolean require(String why) {
        if (isEmpty()) {
            required(why);
        }
        return !isEmpty();
    }

    void name(NameRule rule) {
        name(text(), rule);
    }

    /** Checks a name that is reported here. */
    void name(String name, NameRule rule) {
        rule.problems(name).forEach(why -> invalid(name, why));
    }

    void optionalName(NameRule rule) {
        if (!text().isEmpty()) {
            name(rule);
        }
    }

    void requiredName(NameRule rule) {
        if (require("")) {
            name(rule);
        }
    }

    void qualifiedName() {
        qualifiedName(text());
    }

    /** Checks a qualified name that is reported here. */
    void qualifiedName(String name) {
        NameRule.qualifiedName(name).ifPresent(why -> invalid(name, why));
    }

    void optionalQualifiedName() {
        if (!text().isEmpty()) {
            qualifiedName();
        }
    }

    /** Checks that a text, if there is one, is among those that are supported. */
    void oneOf(List<String> supported) {
        oneOf(text(), supported);
    }

    /** Checks a text that is reported here. */
    void oneOf(String text, List<String> supported) {
        causes.oneOf(path.toString(), text, supported);
    }

    void requiredOneOf(List<String> supported) {
        if (require("")) {
            oneOf(supported);
        }
    }

    /** Checks that a text was not seen before. */
    void unique(Set<String> seen) {
        if (!seen.add(text())) {
            duplicate(text());
        }
    }

    /** Checks the length of a list. */
    void atMost(int most) {
        causes.atMost(path.toString(), value.size(), most);
    }

    void notNegative() {
        range(0, Long.MAX_VALUE, "must be greater than or equal to 0");
    }

    /** Checks a number, if there is one. */
    void range(long least, long most, String why) {
        if (isNumber() && (number() < least || number() > most)) {
            invalidValue(why);
        }
    }

    void address() {
        if (IpLiterals.address(text()).isEmpty()) {
            invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }

    /** Checks a range of addresses. */
    void cidr() {
        if (IpLiterals.range(text()).isEmpty()) {
            invalid("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }
}
