package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.engine.lookup.Frozen;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/**
 * Checks available to rules. A message in a rule replaces the default one; if the table mentions none, the rule must have one.
 * <table>
 * <caption>Checks</caption>
 * <tr><td>{@code required}, {@code present}, {@code notBlank}<td>the value is not empty; it is present; it is not blank
 * <tr><td>{@code empty}, {@code unset}, {@code off}<td>the value is empty; it is absent; it is not true; forbidden otherwise
 * <tr><td>{@code min N}, {@code max N}, {@code range N M}<td>a number is within bounds, if it is one
 * <tr><td>{@code number N M}<td>the same, where an absent number is 0
 * <tr><td>{@code oneOf A B}, {@code in A B}<td>the text, or each text of the list, is one of these; only {@code oneOf} accepts an empty
 * value
 * <tr><td>{@code unique [TEXT] [within DEFINITION]}<td>the text, or another one, is not repeated in the list, or in the definition
 * <tr><td>{@code among LISTS}, {@code amongValid LISTS}, {@code notAmong LISTS}<td>the text is in one of some lists, whose paths start at a
 * definition; it is in an element without errors; it is in none
 * <tr><td>{@code atMost N}, {@code maxLength N}<td>the list or the text is not longer
 * <tr><td>{@code matches REGEX}, {@code starts TEXT}, {@code trimmed}<td>the text has this form
 * <tr><td>{@code immutable}, {@code fixed}, {@code frozen}<td>a value does not change once it is present; it never changes; it never
 * changes, and a change is reported as forbidden
 * <tr><td>{@code fixed except PATHS}<td>only these parts of a value change
 * <tr><td>{@code union A B}<td>exactly one of the members is present; messages for none and for several, separated by {@code |}
 * <tr><td>{@code discriminated FIELD A=B}<td>a field names the only member that is present; messages as for {@code union}
 * <tr><td>{@code only A B}<td>no other members are present; {@code A?} may be present if it is empty
 * <tr><td>{@code report KIND [TEXT]}<td>fails always: {@code required}, {@code forbidden}, {@code invalid} (displays the text, or TEXT),
 * {@code value} (displays the value as it is), {@code number} (as a number), {@code literal} (displays TEXT), {@code unsupported} (TEXT
 * lists the supported values), {@code duplicate} (displays the message)
 * <tr><td>{@code CHECK shown FORM}<td>another check of this table, which displays the value in a {@link GoForm}
 * <tr><td>{@code compiled}<td>the expression has no problems; they are found before the rules run
 * </table>
 *
 * <p>{@link TextChecks} has checks of string formats, {@link ComputedChecks} those that require computation.
 */
final class Checks {
    private Checks() {}

    static Check of(String name, List<String> words, String detail) {
        int shown = words.indexOf("shown");
        if (shown >= 0) {
            return shown(of(name, words.subList(0, shown), detail), words.get(shown + 1), name.equals("report"));
        }
        List<String> arguments = RuleText.unquoted(words);
        Template message = new Template(detail);
        return switch (name) {
            case "required" -> reports(field -> field.isEmpty(), (field, text) -> field.required(text), message);
            case "present" -> reports(Field::isMissing, Field::required, message);
            case "notBlank" -> reports(field -> field.text().isBlank(), Field::required, message);
            case "empty" -> reports(field -> !field.isEmpty(), Field::forbidden, message);
            case "unset" -> reports(field -> !field.isMissing(), Field::forbidden, message);
            case "off" -> reports(Field::flag, Field::forbidden, message);
            case "min" -> range(Long.parseLong(arguments.getFirst()), Long.MAX_VALUE, message);
            case "max" -> range(Long.MIN_VALUE, Long.parseLong(arguments.getFirst()), message);
            case "range" -> range(Long.parseLong(arguments.getFirst()), Long.parseLong(arguments.getLast()), message);
            case "number" -> number(Long.parseLong(arguments.getFirst()), Long.parseLong(arguments.getLast()), message);
            case "oneOf" -> among(arguments, true, message);
            case "in" -> among(arguments, false, message);
            case "unique" -> unique(arguments, message);
            case "among", "amongValid", "notAmong" -> {
                Test listed = listed(arguments, name.equals("amongValid"));
                boolean wanted = !name.equals("notAmong");
                yield (field, at) -> {
                    if (listed.test(field, at) == wanted) {
                        return;
                    }
                    if (!message.isEmpty()) {
                        field.invalid(message.at(at));
                    } else if (wanted) {
                        field.notFound();
                    } else {
                        field.duplicate(field.text());
                    }
                };
            }
            case "atMost" -> {
                int max = Integer.parseInt(arguments.getFirst());
                yield (field, at) -> field.atMost(max);
            }
            case "maxLength" -> {
                int max = Integer.parseInt(arguments.getFirst());
                Predicate<Field> longer = field -> field.text().length() > max;
                yield message.isEmpty()
                        ? reports(longer, (field, text) -> field.tooLong(max), message)
                        : reports(longer, Field::invalid, message);
            }
            case "matches" -> {
                Pattern regex = Pattern.compile(arguments.getFirst());
                yield reports(field -> !regex.matches(field.text()), Field::invalid, message);
            }
            case "starts" -> {
                String begin = arguments.getFirst();
                yield reports(field -> !field.text().startsWith(begin), Field::invalid, message);
            }
            case "trimmed" -> reports(field -> !field.is(field.text().strip()), Field::invalid, message);
            case "immutable" ->
                reports(
                        field -> !field.old().isMissingNode() && !field.value().equals(field.old()),
                        Checks::changed,
                        message.isEmpty() ? new Template("field is immutable") : message);
            case "frozen" -> reports(field -> !field.value().equals(field.old()), Field::forbidden, message);
            case "fixed" -> fixed(arguments, message);
            case "union" -> union(arguments, detail);
            case "discriminated" -> discriminated(arguments, detail);
            case "only" -> only(Frozen.copyOf(arguments), message);
            case "compiled" -> (field, at) -> field.causes().addDeferred(field.path());
            case "report" -> report(arguments.getFirst(), arguments.subList(1, arguments.size()), message);
            default -> TextChecks.of(name, arguments, message);
        };
    }

    /** Returns a check of a value in Go's form; an unchanged value is only checked by a report. */
    private static Check shown(Check check, String form, boolean reports) {
        return (field, at) -> {
            if (reports || !field.value().equals(field.old())) {
                JsonNode old = GoForm.of(form, field.old());
                check.check(new Field(field.path(), GoForm.of(form, field.value()), old, field.causes()), at);
            }
        };
    }

    /** Predicate of a field at the position of a rule. */
    @FunctionalInterface
    interface Test {
        boolean test(Field field, FieldPosition at);
    }

    /** Returns a check that reports fields for which a predicate holds. */
    static Check reports(Predicate<Field> wrong, BiConsumer<Field, String> report, Template message) {
        return (field, at) -> {
            if (wrong.test(field)) {
                report.accept(field, message.at(at));
            }
        };
    }

    private static Check range(long min, long max, Template message) {
        Template detail = message.isEmpty() ? new Template("must be greater than or equal to " + min) : message;
        return (field, at) -> {
            if (field.isNumber() && (field.number() < min || field.number() > max)) {
                field.invalidValue(detail.at(at));
            }
        };
    }

    private static Check number(long min, long max, Template message) {
        return (field, at) -> {
            long number = field.number();
            if (number < min || number > max) {
                field.invalidLiteral(Long.toString(number), message.at(at));
            }
        };
    }

    private static Check among(List<String> supported, boolean optional, Template message) {
        return (field, at) -> {
            List<String> texts = field.value().isArray() ? field.texts() : List.of(field.text());
            if (supported.containsAll(texts) || (optional && field.isEmpty())) {
                return;
            }
            if (message.isEmpty()) {
                field.notSupported(supported);
            } else {
                field.invalid(message.at(at));
            }
        };
    }

    private static Check unique(List<String> arguments, Template message) {
        Test repeats = repeats(arguments);
        boolean own = arguments.isEmpty() || arguments.getFirst().equals("within");
        Template value = new Template(own ? "" : arguments.getFirst());
        return (field, at) -> {
            if (!repeats.test(field, at)) {
                return;
            }
            if (message.isEmpty()) {
                field.duplicate(own ? field.text() : value.at(at));
            } else {
                field.invalid(message.at(at));
            }
        };
    }

    /** Returns a test whether a text, by default that of the field, was found in the list before, or in a definition. */
    static Test repeats(List<String> arguments) {
        int within = arguments.indexOf("within");
        String definition = within < 0 ? "" : arguments.get(within + 1);
        boolean own = within == 0 || arguments.isEmpty();
        Template value = new Template(own ? "" : arguments.getFirst());
        Object rule = new Object();
        return (field, at) -> {
            FieldPosition holder = definition.isEmpty() ? at.list() : at.of(definition);
            Set<String> earlier = holder.remember(rule, HashSet::new);
            return !earlier.add(own ? field.text() : value.at(at));
        };
    }

    /** Strings of lists are collected once for each position of the lists. */
    private static Test listed(List<String> lists, boolean valid) {
        List<Path> paths = lists.stream().map(Path::of).toList();
        Object rule = new Object();
        return (field, at) -> {
            Set<String> texts = at.of(paths.getFirst().from()).remember(rule, () -> {
                Set<String> listed = new HashSet<>();
                paths.forEach(path -> path.each(at, (one, any) -> {
                    if (!valid || !one.causes().mentionsSibling(one.path().toString())) {
                        listed.add(one.text());
                    }
                }));
                return listed;
            });
            return texts.contains(field.text());
        };
    }

    private static Check fixed(List<String> arguments, Template message) {
        List<String[]> except = arguments.stream()
                .skip(1)
                .map(path -> path.replace("[]", "").split("\\.", -1))
                .toList();
        return (field, at) -> {
            if (field.value().equals(field.old())) {
                return;
            }
            if (except.isEmpty()) {
                changed(field, message.at(at));
            } else if (!without(field.value(), except).equals(without(field.old(), except))) {
                field.forbidden(message.at(at));
            }
        };
    }

    /** Reports a changed value; a string that is no longer there is empty. */
    private static void changed(Field field, String message) {
        if (field.isMissing() && field.old().isTextual()) {
            field.invalid(message);
        } else {
            field.invalidValue(message);
        }
    }

    private static JsonNode without(JsonNode value, List<String[]> paths) {
        JsonNode rest = value.deepCopy();
        paths.forEach(path -> remove(rest, path, 0));
        return rest;
    }

    private static void remove(JsonNode from, String[] path, int first) {
        if (from.isArray()) {
            from.forEach(element -> remove(element, path, first));
        } else if (from instanceof ObjectNode object) {
            if (first == path.length - 1) {
                object.remove(path[first]);
            } else {
                remove(object.path(path[first]), path, first + 1);
            }
        }
    }

    private static Check union(List<String> members, String detail) {
        String[] messages = detail.split(" \\| ", 2);
        return (field, at) -> {
            boolean present = false;
            for (String member : members) {
                if (field.has(member)) {
                    if (present) {
                        field.at(member).forbidden(messages[1]);
                    }
                    present = true;
                }
            }
            if (!present) {
                field.required(messages[0]);
            }
        };
    }

    private static Check discriminated(List<String> arguments, String detail) {
        String[] messages = detail.split(" \\| ", 2);
        String discriminator = arguments.getFirst();
        Map<String, String> members = new LinkedHashMap<>();
        for (String member : arguments.subList(1, arguments.size())) {
            members.put(member.substring(0, member.indexOf('=')), member.substring(member.indexOf('=') + 1));
        }
        return (field, at) -> {
            String desired = members.get(field.text(discriminator));
            if (desired == null) {
                return;
            }
            if (!field.has(desired)) {
                field.at(desired).required(messages[0]);
            }
            for (String other : members.values()) {
                if (messages.length == 2 && !other.equals(desired) && field.has(other)) {
                    field.at(other).forbidden(messages[1]);
                }
            }
        };
    }

    private static Check only(Set<String> allowed, Template message) {
        return (field, at) -> field.value().properties().forEach(member -> {
            boolean nothing = member.getValue().isEmpty() && allowed.contains(member.getKey() + "?");
            if (!allowed.contains(member.getKey())
                    && !nothing
                    && !member.getValue().isNull()) {
                field.at(member.getKey()).forbidden(message.at(at));
            }
        });
    }

    private static Check report(String kind, List<String> arguments, Template message) {
        Template value = new Template(arguments.isEmpty() ? "${.}" : arguments.getFirst());
        return switch (kind) {
            case "required" -> (field, at) -> field.required(message.at(at));
            case "forbidden" -> (field, at) -> field.forbidden(message.at(at));
            case "warning" -> (field, at) -> field.add(Rules.WARNING, message.at(at));
            case "invalid" ->
                arguments.isEmpty()
                        ? (field, at) -> field.invalid(message.at(at))
                        : (field, at) -> field.invalid(value.at(at), message.at(at));
            case "value" -> (field, at) -> field.invalidValue(message.at(at));
            case "duplicate" ->
                (field, at) -> field.add("FieldValueDuplicate", FieldErrorMessages.duplicate(message.at(at)));
            case "number" -> (field, at) -> field.invalidLiteral(Long.toString(field.number()), message.at(at));
            case "literal" -> (field, at) -> field.invalidLiteral(value.at(at), message.at(at));
            case "unsupported" -> (field, at) -> field.notSupported(arguments);
            default -> throw new IllegalArgumentException("unknown kind of report: " + kind);
        };
    }
}
