package io.plat.apiserver.selector;

import com.fasterxml.jackson.databind.JsonNode;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.NameRule;
import io.plat.review.SelectorAttributes;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Label selector in Kubernetes' syntax: {@code a=b,c!=d,e in (f,g),h,!i,j>1}. */
public record LabelSelector(List<Requirement> requirements) {
    static final LabelSelector ALL = new LabelSelector(List.of());

    private enum Operator {
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER,
        LESS
    }

    private record Requirement(String key, Operator operator, Set<String> values) {
        boolean matches(Map<String, String> labels) {
            String value = labels.get(key);
            return switch (operator) {
                case IN -> value != null && values.contains(value);
                case NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER -> compared(value) > 0;
                case LESS -> compared(value) < 0;
            };
        }

        /** Compares the label's number with the required one; 0 if the label is not a number. */
        private int compared(@Nullable String value) {
            try {
                return value == null
                        ? 0
                        : Long.compare(
                                Long.parseLong(value),
                                Long.parseLong(values.iterator().next()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }
    }

    public boolean all() {
        return requirements.isEmpty();
    }

    public boolean matches(Map<String, String> labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns a selector in an object.
     *
     * @param selector object with {@code matchLabels} and {@code matchExpressions}; a missing one selects everything
     * @throws StatusException 400 if it is malformed
     */
    public static LabelSelector of(JsonNode selector) throws StatusException {
        return parse(text(selector));
    }

    /**
     * Parses a selector.
     *
     * @throws StatusException 400 with the found and the expected token
     */
    public static LabelSelector parse(String text) throws StatusException {
        return text.isEmpty() ? ALL : new LabelSelector(List.copyOf(new Parser(text).requirements()));
    }

    /** Returns the requirements of a selector for authorization; empty if it is malformed, or compares numbers. */
    public static Optional<List<SelectorAttributes.Requirement>> requirements(String text) {
        try {
            List<SelectorAttributes.Requirement> requirements = new ArrayList<>();
            for (Requirement requirement : parse(text).requirements) {
                String operator = switch (requirement.operator()) {
                    case IN -> "In";
                    case NOT_IN -> "NotIn";
                    case EXISTS -> "Exists";
                    case DOES_NOT_EXIST -> "DoesNotExist";
                    case GREATER, LESS -> "";
                };
                if (operator.isEmpty()) {
                    return Optional.empty();
                }
                requirements.add(new SelectorAttributes.Requirement(
                        requirement.key(), operator, List.copyOf(requirement.values())));
            }
            return Optional.of(requirements);
        } catch (StatusException malformed) {
            return Optional.empty();
        }
    }

    private static final class Parser {
        private static final String SPECIAL = "=!(),><";

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Requirement> requirements() throws StatusException {
            var requirements = new ArrayList<Requirement>();
            while (true) {
                String token = peek();
                if (token.isEmpty()) {
                    return requirements;
                }
                if (!token.equals("!") && !isWord(token)) {
                    throw found(token, "!, identifier, or 'end of string'");
                }
                try {
                    requirements.add(requirement());
                } catch (StatusException e) {
                    throw ApiErrors.badRequest(
                            "unable to parse requirement: " + e.status().message());
                }
                String next = next();
                if (next.isEmpty()) {
                    return requirements;
                }
                if (!next.equals(",")) {
                    throw found(next, "',' or 'end of string'");
                }
                String following = peek();
                if (!following.equals("!") && !isWord(following)) {
                    throw found(following, "identifier after ','");
                }
            }
        }

        private Requirement requirement() throws StatusException {
            String first = next();
            boolean absent = first.equals("!");
            String key = absent ? next() : first;
            if (!isWord(key)) {
                throw found(key, "identifier");
            }
            List<String> problems = NameRule.qualifiedName(key);
            if (!problems.isEmpty()) {
                throw ApiErrors.badRequest(
                        "<nil>: Invalid value: " + FieldErrorMessages.quoted(key) + ": " + String.join("; ", problems));
            }
            if (absent) {
                return new Requirement(key, Operator.DOES_NOT_EXIST, Set.of());
            }
            String after = peek();
            if (after.isEmpty() || after.equals(",")) {
                return new Requirement(key, Operator.EXISTS, Set.of());
            }
            return compared(key, next());
        }

        private Requirement compared(String key, String operator) throws StatusException {
            return switch (operator) {
                case "=", "==" -> new Requirement(key, Operator.IN, Set.of(exactValue(key)));
                case "!=" -> new Requirement(key, Operator.NOT_IN, Set.of(exactValue(key)));
                case "in" -> new Requirement(key, Operator.IN, values(key));
                case "notin" -> new Requirement(key, Operator.NOT_IN, values(key));
                case ">" -> new Requirement(key, Operator.GREATER, Set.of(number(key)));
                case "<" -> new Requirement(key, Operator.LESS, Set.of(number(key)));
                default -> throw found(operator, "in, notin, =, ==, !=, gt, lt");
            };
        }

        private String exactValue(String key) throws StatusException {
            String value = peek();
            if (value.isEmpty() || value.equals(",")) {
                return "";
            }
            next();
            if (!isWord(value)) {
                throw found(value, "identifier");
            }
            return checked(key, value);
        }

        private String number(String key) throws StatusException {
            String value = exactValue(key);
            if (!value.matches("-?[0-9]{1,18}")) {
                throw ApiErrors.badRequest("values[0]: Invalid value: " + FieldErrorMessages.quoted(value)
                        + ": for 'Gt', 'Lt' operators, the value must be an integer");
            }
            return value;
        }

        private Set<String> values(String key) throws StatusException {
            String opening = next();
            if (!opening.equals("(")) {
                throw ApiErrors.badRequest("found '" + opening + "' expected: '('");
            }
            var values = new LinkedHashSet<String>();
            while (true) {
                String token = next();
                if (token.equals(")") || token.equals(",")) {
                    values.add("");
                } else if (isWord(token)) {
                    values.add(checked(key, token));
                    token = next();
                } else {
                    throw found(token, "',', ')' or identifier");
                }
                if (token.equals(")")) {
                    return values;
                }
                if (!token.equals(",")) {
                    throw found(token, "',' or ')'");
                }
            }
        }

        private static String checked(String key, String value) throws StatusException {
            List<String> problems = NameRule.LABEL_VALUE.problems(value);
            if (!problems.isEmpty()) {
                throw ApiErrors.badRequest("values[0][" + key + "]: Invalid value: " + FieldErrorMessages.quoted(value)
                        + ": " + problems.getFirst());
            }
            return value;
        }

        private static boolean isWord(String token) {
            return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
        }

        private static StatusException found(String token, String expected) {
            return ApiErrors.badRequest("found '" + token + "', expected: " + expected);
        }

        private String peek() {
            int before = at;
            String token = next();
            at = before;
            return token;
        }

        /** Returns the next token; {@code ""} at the end. */
        private String next() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
            int start = at;
            if (at == text.length()) {
                return "";
            }
            char first = text.charAt(at++);
            if (SPECIAL.indexOf(first) >= 0) {
                if ((first == '=' || first == '!') && at < text.length() && text.charAt(at) == '=') {
                    at++;
                }
                return text.substring(start, at);
            }
            while (at < text.length()
                    && SPECIAL.indexOf(text.charAt(at)) < 0
                    && " \t\r\n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            return text.substring(start, at);
        }
    }

    /**
     * Returns the text.
     *
     * @param selector map of labels, or object with {@code matchLabels} and {@code matchExpressions}
     */
    public static String text(JsonNode selector) {
        boolean plain = !selector.path("matchLabels").isObject()
                && !selector.path("matchExpressions").isArray();
        var byKey = new TreeMap<String, List<String>>();
        for (Map.Entry<String, JsonNode> label : (plain ? selector : selector.path("matchLabels")).properties()) {
            add(byKey, label.getKey(), label.getKey() + "=" + label.getValue().asText());
        }
        if (!plain) {
            for (JsonNode expression : selector.path("matchExpressions")) {
                String key = Json.text(expression, "key");
                add(byKey, key, requirementText(key, expression));
            }
        }
        return String.join(",", byKey.values().stream().flatMap(List::stream).toList());
    }

    private static void add(Map<String, List<String>> byKey, String key, String requirement) {
        byKey.computeIfAbsent(key, any -> new ArrayList<>()).add(requirement);
    }

    private static String requirementText(String key, JsonNode expression) {
        List<String> values =
                Json.texts(expression.path("values")).stream().sorted().toList();
        String among = "(" + String.join(",", values) + ")";
        return switch (Json.text(expression, "operator")) {
            case "In" -> key + " in " + among;
            case "NotIn" -> key + " notin " + among;
            case "DoesNotExist" -> "!" + key;
            default -> key;
        };
    }
}
