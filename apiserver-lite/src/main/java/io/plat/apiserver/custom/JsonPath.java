package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** JSONPath of a printer column: fields, elements, all elements, and elements with a field of some value. Immutable. */
final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_$-]+|\\*)"
            + "|\\[(-?[0-9]{1,9})\\]|\\[(\\*)\\]|\\[['\"]([^'\"\\]]+)['\"]\\]"
            + "|\\[\\?\\(\\s*@\\.([A-Za-z0-9_.-]+)\\s*==\\s*(?:['\"]([^'\"]*)['\"]|([A-Za-z0-9_.-]+))\\s*\\)\\]");

    /** The most characters of a path. */
    private static final int LONGEST = 1024;

    /** Returns the values that a step selects, within the budget of elements. */
    private interface Step {
        Stream<JsonNode> from(JsonNode value, Predicate<JsonNode> allowed);
    }

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Parses a path; empty if malformed. A backslash escapes a dot in a name. */
    static Optional<JsonPath> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        var steps = new ArrayList<Step>();
        String rest = (text.startsWith(".") || text.startsWith("[") ? text : "." + text).replace("\\.", "\u0000");
        Matcher matcher = STEP.matcher(rest.replace('\u0000', '$'));
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            if (matcher.group(1) != null) {
                String name = rest.substring(matcher.start(1), matcher.end(1)).replace('\u0000', '.');
                steps.add(name.equals("*") ? JsonPath::elements : field(name));
            } else if (matcher.group(2) != null) {
                int index = Integer.parseInt(matcher.group(2));
                steps.add((value, allowed) -> present(value.path(index < 0 ? value.size() + index : index)));
            } else if (matcher.group(3) != null) {
                steps.add(JsonPath::elements);
            } else if (matcher.group(4) != null) {
                steps.add(field(matcher.group(4)));
            } else {
                String value = matcher.group(6) == null ? matcher.group(7) : matcher.group(6);
                steps.add(having(List.of(matcher.group(5).split("\\.", -1)), value));
            }
        }
        return end == rest.length() ? Optional.of(new JsonPath(steps)) : Optional.empty();
    }

    private static Step field(String name) {
        return (value, allowed) -> present(value.path(name));
    }

    private static Stream<JsonNode> elements(JsonNode value, Predicate<JsonNode> allowed) {
        return value.valueStream().takeWhile(allowed);
    }

    private static Step having(List<String> path, String wanted) {
        return (value, allowed) -> elements(value, allowed).filter(element -> {
            JsonNode compared = element;
            for (String name : path) {
                compared = compared.path(name);
            }
            return compared.isValueNode() && compared.asText().equals(wanted);
        });
    }

    private static Stream<JsonNode> present(JsonNode value) {
        return value.isMissingNode() ? Stream.empty() : Stream.of(value);
    }

    /**
     * Returns the values that it leads to, in their order.
     *
     * @param allowed whether one more element is looked at
     */
    List<JsonNode> values(JsonNode object, Predicate<JsonNode> allowed) {
        Stream<JsonNode> at = Stream.of(object);
        for (Step step : steps) {
            at = at.flatMap(value -> step.from(value, allowed));
        }
        return at.toList();
    }
}
