package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.tree.Json;
import io.plat.cel.text.Quantity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Condition of a rule: comparisons combined by {@code not}, {@code and} and {@code or}, in order of precedence.
 * <table>
 * <caption>Comparisons</caption>
 * <tr><td>{@code new}<td>the object is created
 * <tr><td>{@code changed}, {@code changed P}<td>the object is created, or it differs in more than metadata and status; or in that field
 * <tr><td>{@code has P}, {@code empty P}, {@code filled P}<td>a value is present; it has no text, elements or members; it has some
 * <tr><td>{@code blank P}, {@code lines P}<td>the text is blank; it has several lines
 * <tr><td>{@code true P}, {@code zero P}<td>the value is true; it is the number 0 or absent
 * <tr><td>{@code none P}, {@code negative P}<td>the value is 0 or 0%; it is a quantity below 0
 * <tr><td>{@code P is number}, {@code P is text}<td>the value is a number; it is a text
 * <tr><td>{@code P in A B}, {@code P starts A B}, {@code P ends A B}, {@code P holds A B}<td>the text equals, starts with, ends with or
 * contains one of several
 * <tr><td>{@code P = A}, {@code P != A}, {@code P matches REGEX}<td>the text equals another; it differs; it matches entirely
 * <tr><td>{@code P lists A B}<td>the list has all of these texts
 * <tr><td>{@code P <= Q} and similar<td>the value is a number in this relation to another, or to that of a field
 * <tr><td>{@code P longer N}, {@code P more N}<td>the text has more bytes; the list or object has more elements
 * <tr><td>{@code P same Q}, {@code P within Q}<td>the values are equal; each member of one is in the other
 * <tr><td>{@code P selects Q}<td>the value is a label selector that matches labels
 * <tr><td>{@code repeats TEXT [within DEFINITION]}<td>the text was found in the list before, or in the definition
 * </table>
 */
@FunctionalInterface
interface Condition {
    /** Members that are no part of the desired state. */
    Set<String> OBSERVED = Set.of("metadata", "status");

    Set<String> ZERO_PERCENT = Set.of("0%", "00%", "000%");

    boolean holds(FieldPosition at);

    static Condition of(List<String> words) {
        return any(
                words,
                "or",
                (left, right) -> at -> left.holds(at) || right.holds(at),
                either ->
                        any(either, "and", (left, right) -> at -> left.holds(at) && right.holds(at), Condition::term));
    }

    private static Condition any(
            List<String> words, String word, BinaryOperator<Condition> join, Function<List<String>, Condition> part) {
        int at = words.indexOf(word);
        return at < 0
                ? part.apply(words)
                : join.apply(
                        part.apply(words.subList(0, at)), any(words.subList(at + 1, words.size()), word, join, part));
    }

    private static Condition term(List<String> words) {
        String first = words.getFirst();
        List<String> rest = words.subList(1, words.size());
        return switch (first) {
            case "not" -> {
                Condition inner = term(rest);
                yield at -> !inner.holds(at);
            }
            case "new" -> at -> at.root().field().old().isMissingNode();
            case "changed" -> rest.isEmpty() ? Condition::desiredStateDiffers : changed(rest);
            case "has" -> value(rest, value -> !value.isMissingNode());
            case "empty" -> value(rest, Condition::isEmpty);
            case "filled" -> value(rest, value -> !isEmpty(value));
            case "blank" -> value(rest, value -> value.asText("").isBlank());
            case "lines" -> value(rest, value -> value.asText("").strip().indexOf('\n') >= 0);
            case "true" -> value(rest, JsonNode::asBoolean);
            case "zero" -> value(rest, value -> value.asLong() == 0);
            case "repeats" -> {
                Checks.Test repeats = Checks.repeats(RuleText.unquoted(rest));
                yield at -> repeats.test(at.field(), at);
            }
            case "none" -> value(rest, Condition::isNone);
            case "negative" ->
                value(rest, value -> Quantity.of(value.asText("")).signum() < 0);
            default -> comparison(first, rest.getFirst(), rest.subList(1, rest.size()));
        };
    }

    private static Condition comparison(String left, String operator, List<String> right) {
        List<String> path = List.of(left);
        return switch (operator) {
            case "is" -> value(path, right.getFirst().equals("number") ? JsonNode::isNumber : JsonNode::isTextual);
            case "=", "in" -> text(path, right, String::equals);
            case "!=" -> {
                Condition same = text(path, right, String::equals);
                yield at -> !same.holds(at);
            }
            case "starts" -> text(path, right, String::startsWith);
            case "ends" -> text(path, right, String::endsWith);
            case "holds" -> text(path, right, String::contains);
            case "matches" -> {
                Pattern regex = Pattern.compile(RuleText.unquoted(right.getFirst()));
                yield value(path, value -> regex.matches(value.asText("")));
            }
            case "lists" -> value(path, value -> Json.texts(value).containsAll(right));
            case "longer" -> {
                int max = Integer.parseInt(right.getFirst());
                yield value(path, value -> value.asText("").getBytes(StandardCharsets.UTF_8).length > max);
            }
            case "more" -> {
                int max = Integer.parseInt(right.getFirst());
                yield value(path, value -> value.size() > max);
            }
            case "same" -> values(left, right, JsonNode::equals);
            case "within" -> values(left, right, Condition::isWithin);
            case "selects" -> values(left, right, Condition::selects);
            case "<" -> number(left, right, order -> order < 0);
            case "<=" -> number(left, right, order -> order <= 0);
            case ">" -> number(left, right, order -> order > 0);
            case ">=" -> number(left, right, order -> order >= 0);
            default -> throw new IllegalArgumentException("unknown condition: " + operator);
        };
    }

    private static boolean isWithin(JsonNode inner, JsonNode outer) {
        return inner.properties().stream()
                .allMatch(member -> outer.path(member.getKey()).equals(member.getValue()));
    }

    /** Returns whether a label selector matches labels; an absent one does not. */
    private static boolean selects(JsonNode selector, JsonNode labels) {
        return selector.isObject()
                && isWithin(selector.path("matchLabels"), labels)
                && selector.path("matchExpressions").valueStream().allMatch(requirement -> {
                    JsonNode label = labels.path(requirement.path("key").asText());
                    boolean among = requirement.path("values").valueStream().anyMatch(label::equals);
                    return switch (requirement.path("operator").asText()) {
                        case "In" -> among;
                        case "NotIn" -> !among;
                        case "Exists" -> !label.isMissingNode();
                        case "DoesNotExist" -> label.isMissingNode();
                        default -> false;
                    };
                });
    }

    /** Returns whether an absolute or relative amount is zero; an absent one is. */
    private static boolean isNone(JsonNode amount) {
        return amount.isTextual() ? ZERO_PERCENT.contains(amount.asText()) : amount.asLong() == 0;
    }

    private static boolean isEmpty(JsonNode value) {
        return value.isEmpty() && value.asText("").isEmpty();
    }

    private static Condition value(List<String> path, Predicate<JsonNode> test) {
        Path one = Path.of(path.getFirst());
        return at -> test.test(one.value(at));
    }

    private static Condition text(List<String> path, List<String> words, BiPredicate<String, String> test) {
        Path one = Path.of(path.getFirst());
        Template[] texts = RuleText.unquoted(words).stream().map(Template::new).toArray(Template[]::new);
        return at -> {
            String text = one.value(at).asText("");
            for (Template other : texts) {
                if (test.test(text, other.at(at))) {
                    return true;
                }
            }
            return false;
        };
    }

    private static Condition values(String left, List<String> right, BiPredicate<JsonNode, JsonNode> test) {
        Path one = Path.of(left);
        Path other = Path.of(right.getFirst());
        return at -> test.test(one.value(at), other.value(at));
    }

    private static Condition number(String left, List<String> right, IntPredicate test) {
        Path one = Path.of(left);
        String word = right.getFirst();
        if (word.matches("-?[0-9]+")) {
            long bound = Long.parseLong(word);
            return at -> {
                JsonNode value = one.value(at);
                return value.isNumber() && test.test(Long.compare(value.asLong(), bound));
            };
        }
        Path other = Path.of(word);
        return at -> {
            JsonNode value = one.value(at);
            return value.isNumber()
                    && test.test(Long.compare(value.asLong(), other.value(at).asLong()));
        };
    }

    private static Condition changed(List<String> path) {
        Path one = Path.of(path.getFirst());
        return at -> {
            Field field = one.field(at);
            return at.root().field().old().isMissingNode() || !field.value().equals(field.old());
        };
    }

    /** Returns whether anything but metadata and status differs: the desired state of many types is not in a spec. */
    private static boolean desiredStateDiffers(FieldPosition at) {
        Field root = at.root().field();
        return !Json.equalExcept(OBSERVED, root.value(), root.old());
    }
}
