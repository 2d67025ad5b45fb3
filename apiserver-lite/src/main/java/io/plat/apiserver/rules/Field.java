package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A value under validation, with the path by which messages name it and the causes that collect what is wrong with it. What an object
 * does not have is a field as well: its value is missing. Members are reached by name, and the elements of a list by iteration.
 */
public record Field(FieldPath path, JsonNode value, JsonNode old, Causes causes) implements Iterable<Field> {
    private static final JsonNode MISSING = MissingNode.getInstance();

    /** A new object. */
    public static Field of(JsonNode object, Causes causes) {
        return of(object, null, causes);
    }

    /** An object that replaces another; null for a new one. */
    public static Field of(JsonNode object, @Nullable JsonNode before, Causes causes) {
        return new Field(FieldPath.ROOT, object, before == null ? MISSING : before, causes);
    }

    /** A value at a dotted path. */
    public static Field of(String path, JsonNode value, Causes causes) {
        return new Field(FieldPath.of(path), value, MISSING, causes);
    }

    /** The member of a name. */
    public Field at(String name) {
        return new Field(path.field(name), value.path(name), old.path(name), causes);
    }

    /** A value that messages place under a name of this one, wherever it is from. */
    public Field as(String name, JsonNode other) {
        return new Field(path.field(name), other, MISSING, causes);
    }

    /** The entry of a map. */
    public Field key(String key) {
        return new Field(path.key(key), value.path(key), old.path(key), causes);
    }

    /** A value that messages place under a key of this one. */
    public Field key(String key, JsonNode other) {
        return new Field(path.key(key), other, MISSING, causes);
    }

    /** All that a map has. */
    public List<Field> entries() {
        return value.isEmpty()
                ? List.of()
                : value.properties().stream()
                        .map(entry -> key(entry.getKey(), entry.getValue()))
                        .toList();
    }

    /** The element of a list at an index. */
    public Field element(int index) {
        return new Field(path.at(index), value.path(index), MISSING, causes);
    }

    /** The same value, reported at another path. */
    Field placed(FieldPath other) {
        return new Field(other, value, old, causes);
    }

    /** Another value, reported at this path. */
    Field with(JsonNode other) {
        return new Field(path, other, MISSING, causes);
    }

    @Override
    public Iterator<Field> iterator() {
        // Most lists of an object are not there, and a stream costs something even for these.
        return value.isEmpty()
                ? Collections.emptyIterator()
                : IntStream.range(0, value.size()).mapToObj(this::element).iterator();
    }

    /** The text, or {@code ""}. */
    public String text() {
        return value.asText("");
    }

    /** The text of a member, or {@code ""}. */
    public String text(String name) {
        return value.path(name).asText("");
    }

    /** Its texts, for a list. */
    public List<String> texts() {
        return texts(value);
    }

    /** The texts of a list. */
    public static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
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

    /** Whether it has neither text nor elements nor members. */
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

    public void required(String why) {
        causes.required(path.toString(), why);
    }

    public void forbidden(String why) {
        causes.forbidden(path.toString(), why);
    }

    /** Reports its text. */
    public void invalid(String why) {
        invalid(text(), why);
    }

    /** Reports a text in its place. */
    public void invalid(String shown, String why) {
        causes.invalid(path.toString(), shown, why);
    }

    /** Reports what is written without quotes, such as a number. */
    public void invalidLiteral(String shown, String why) {
        causes.invalidLiteral(path.toString(), shown, why);
    }

    /** Reports its value as the object has it. */
    public void invalidValue(String why) {
        causes.invalidValue(path.toString(), value, why);
    }

    public void duplicate(String shown) {
        add("FieldValueDuplicate", FieldWords.duplicate(FieldWords.quoted(FieldWords.clipped(shown))));
    }

    public void notFound() {
        add("FieldValueNotFound", "Not found: " + FieldWords.quoted(FieldWords.clipped(text())));
    }

    public void tooLong(int most) {
        causes.tooLong(path.toString(), most);
    }

    public void notSupported(List<String> supported) {
        notSupported(text(), supported);
    }

    /** Reports a text in its place. */
    public void notSupported(String shown, List<String> supported) {
        causes.notSupported(path.toString(), shown, supported);
    }

    /** Reports what is written without further quotes, such as a list. */
    public void notSupportedLiteral(String shown, List<String> supported) {
        causes.notSupportedLiteral(path.toString(), shown, supported);
    }

    /** Reports a cause whose message is written already. */
    public void add(String reason, String message) {
        causes.add(reason, message, path.toString());
    }

    /** Checks that it is not empty, and returns whether. */
    public boolean require(String why) {
        if (isEmpty()) {
            required(why);
        }
        return !isEmpty();
    }

    public void name(NameRule rule) {
        name(text(), rule);
    }

    /** Checks a name that is reported here. */
    public void name(String name, NameRule rule) {
        rule.problems(name).forEach(why -> invalid(name, why));
    }

    public void qualifiedName() {
        qualifiedName(text());
    }

    /** Checks a qualified name that is reported here. */
    public void qualifiedName(String name) {
        NameRule.qualifiedName(name).ifPresent(why -> invalid(name, why));
    }

    /** Checks the length of a list. */
    public void atMost(int most) {
        causes.atMost(path.toString(), value.size(), most);
    }

    public void address() {
        if (IpLiterals.address(text()).isEmpty()) {
            invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }
}
