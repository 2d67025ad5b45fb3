package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** JSONPath of a printer column: fields, elements, all elements, and elements with a field of some value. Immutable. */
final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_$-]+|\\*)"
            + "|\\[(-?[0-9]{1,9})\\]|\\[(\\*)\\]|\\[['\"]([^'\"\\]]+)['\"]\\]"
            + "|\\[\\?\\(\\s*@\\.([A-Za-z0-9_.-]+)\\s*==\\s*(?:['\"]([^'\"]*)['\"]|([A-Za-z0-9_.-]+))\\s*\\)\\]");

    /** Step of a path: maps a value to the selected values. */
    private interface Step extends Function<JsonNode, Stream<JsonNode>> {}

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    /** Parses a path; empty if malformed. A backslash escapes a dot in a name. */
    static Optional<JsonPath> parse(String text) {
        var steps = new ArrayList<Step>();
        String rest = (text.startsWith(".") || text.startsWith("[") ? text : "." + text).replace("\\.", "\u0000");
        Matcher matcher = STEP.matcher(rest.replace('\u0000', '$'));
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            if (matcher.group(1) != null) {
                String name = rest.substring(matcher.start(1), matcher.end(1)).replace('\u0000', '.');
                steps.add(name.equals("*") ? JsonNode::valueStream : field(name));
            } else if (matcher.group(2) != null) {
                int index = Integer.parseInt(matcher.group(2));
                steps.add(value -> present(value.path(index < 0 ? value.size() + index : index)));
            } else if (matcher.group(3) != null) {
                steps.add(JsonNode::valueStream);
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
        return value -> present(value.path(name));
    }

    private static Step having(List<String> path, String wanted) {
        return value -> value.valueStream().filter(element -> {
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

    /** Returns the selected values in order. */
    List<JsonNode> values(JsonNode object) {
        Stream<JsonNode> at = Stream.of(object);
        for (Step step : steps) {
            at = at.flatMap(step);
        }
        return at.toList();
    }
}
