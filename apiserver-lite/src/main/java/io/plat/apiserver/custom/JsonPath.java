package io.plat.apiserver.custom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A path into an object, as printer columns name it: fields, elements, all elements, and those elements that have a field of some
 * value. Immutable.
 */
final class JsonPath {
    private static final Pattern STEP = Pattern.compile("\\.([A-Za-z0-9_$-]+|\\*)"
            + "|\\[(-?[0-9]{1,9})\\]|\\[(\\*)\\]|\\[['\"]([^'\"\\]]+)['\"]\\]"
            + "|\\[\\?\\(\\s*@\\.([A-Za-z0-9_.-]+)\\s*==\\s*(?:['\"]([^'\"]*)['\"]|([A-Za-z0-9_.-]+))\\s*\\)\\]");

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    private sealed interface Step {
        record Field(String name) implements Step {}

        record Element(int index) implements Step {}

        record All() implements Step {}

        record Having(List<String> path, String value) implements Step {}
    }

    /** Reads a path; empty for one that can't be read. A backslash before a dot makes it a part of the name. */
    static Optional<JsonPath> parse(String text) {
        var steps = new ArrayList<Step>();
        String rest = (text.startsWith(".") || text.startsWith("[") ? text : "." + text).replace("\\.", "\u0000");
        Matcher matcher = STEP.matcher(rest.replace('\u0000', '$'));
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            end = matcher.end();
            if (matcher.group(1) != null) {
                String name = rest.substring(matcher.start(1), matcher.end(1)).replace('\u0000', '.');
                steps.add(name.equals("*") ? new Step.All() : new Step.Field(name));
            } else if (matcher.group(2) != null) {
                steps.add(new Step.Element(Integer.parseInt(matcher.group(2))));
            } else if (matcher.group(3) != null) {
                steps.add(new Step.All());
            } else if (matcher.group(4) != null) {
                steps.add(new Step.Field(matcher.group(4)));
            } else {
                String value = matcher.group(6) == null ? matcher.group(7) : matcher.group(6);
                steps.add(new Step.Having(List.of(matcher.group(5).split("\\.", -1)), value));
            }
        }
        return end == rest.length() ? Optional.of(new JsonPath(steps)) : Optional.empty();
    }

    /** The values that it leads to, in their order. */
    List<JsonNode> values(JsonNode object) {
        List<JsonNode> at = List.of(object);
        for (Step step : steps) {
            var next = new ArrayList<JsonNode>();
            at.forEach(value -> follow(step, value, next));
            at = next;
        }
        return at;
    }

    private static void follow(Step step, JsonNode value, List<JsonNode> into) {
        switch (step) {
            case Step.Field field -> add(value.path(field.name()), into);
            case Step.Element element ->
                add(value.path(element.index() < 0 ? value.size() + element.index() : element.index()), into);
            case Step.All all -> value.forEach(into::add);
            case Step.Having having -> {
                for (JsonNode element : value) {
                    JsonNode compared = element;
                    for (String name : having.path()) {
                        compared = compared.path(name);
                    }
                    if (compared.isValueNode() && compared.asText().equals(having.value())) {
                        into.add(element);
                    }
                }
            }
        }
    }

    private static void add(JsonNode value, List<JsonNode> into) {
        if (!value.isMissingNode()) {
            into.add(value);
        }
    }
}
