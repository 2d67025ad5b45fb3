package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.Constraints;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.NodeKey;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.text.RegularExpressions;
import io.plat.cel.text.TextFormats;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates values by their schemas, with Kubernetes' messages. */
public final class ValueCheck {
    /** Path of the causes of alternatives, which Kubernetes does not state. */
    private static final FieldPath NOWHERE = FieldPath.of("<nil>");

    /** Maximum number of schemas against which one object is checked in total: junctors multiply. */
    private static final int MAX_CHECKS = 2_000_000;

    /** Pattern instructions per character of a string. */
    private static final int STEPS_OF_A_CHARACTER = 60;

    /** Number of patterns of few instructions over a string that count as one step for each of its characters. */
    private static final int SHORT_PATTERNS = 6;

    /** Further steps of all patterns over the strings of one object: characters times instructions. */
    private static final long MAX_STEPS = 2_000_000;

    private Causes causes;
    private int checks;
    private long steps;

    private ValueCheck(Causes causes) {
        this.causes = causes;
    }

    /** Validates a value. */
    public static void check(TypeSchema schema, JsonNode value, FieldPath at, Causes causes) {
        new ValueCheck(causes).value(schema, value, null, at);
    }

    /**
     * Validates a value, except for parts that are unchanged: a schema may have become stricter since.
     *
     * @param before previous value; null if there is none
     */
    public static void check(
            TypeSchema schema, JsonNode value, @Nullable JsonNode before, FieldPath at, Causes causes) {
        // Values are compared only if there are errors.
        if (before == null || !Causes.none(found -> check(schema, value, at, found))) {
            new ValueCheck(causes).value(schema, value, before, at);
        }
    }

    private void value(TypeSchema schema, JsonNode value, @Nullable JsonNode before, FieldPath at) {
        if (value.equals(before)) {
            return;
        }
        if (++checks > MAX_CHECKS) {
            causes.invalid(at, "\"\"", "the object is too large for the alternatives of its schema");
            return;
        }
        if (value.isNull() && schema.nullable()) {
            return;
        }
        if (!hasType(schema, value)) {
            wrongType(schema, value, at);
        }
        JsonNode earlier = before == null ? MissingNode.getInstance() : before;
        Constraints constraints = schema.constraints();
        if (constraints.none()) {
            below(schema, value, earlier, at);
            return;
        }
        // In kube-apiserver's order, which also applies to values of the wrong type.
        if (!value.isNull()) {
            alternatives(constraints, value, at);
        }
        if (value.isTextual()) {
            text(constraints, value.textValue(), at);
        } else if (value.isNumber()) {
            number(constraints, value, at);
        } else if (value.isArray()) {
            below(schema, value, earlier, at);
            size(constraints, "Items", value.size(), at);
        }
        allowed(constraints, value, at);
        if (value.isObject()) {
            size(constraints, "Properties", value.size(), at);
            below(schema, value, earlier, at);
            for (String name : constraints.required()) {
                if (!value.has(name)) {
                    causes.required(at.field(name), "");
                }
            }
        }
    }

    /** Reports a value of the wrong type. kube-apiserver compares the format first, if there is one, and knows those of numbers only. */
    private void wrongType(TypeSchema schema, JsonNode value, FieldPath at) {
        // A format that accepts anything is unknown.
        String format = schema.format();
        boolean known = format.matches("int32|int64|float|double") || !TextFormats.holds(format, "\0");
        boolean byFormat = known && !value.isNull() && !value.isTextual();
        if (byFormat && value.isArray() && schema.type().equals("string")) {
            return;
        }
        String number = value.isIntegralNumber() ? "int64" : value.isNumber() ? "float64" : "";
        String type = schema.intOrString() ? "integer,string" : schema.type();
        String expected = byFormat && !value.isArray() ? format : type;
        String actual = FieldErrorMessages.quoted(byFormat && !value.isArray() ? number : kind(value));
        causes.wrongType(at, actual, at + " in body must be of type " + expected + ": " + actual);
    }

    private void below(TypeSchema schema, JsonNode value, JsonNode before, FieldPath at) {
        @Nullable TypeSchema items = schema.items();
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                @Nullable TypeSchema fieldSchema = schema.of(field.getKey());
                if (fieldSchema != null) {
                    value(fieldSchema, field.getValue(), before.get(field.getKey()), at.field(field.getKey()));
                }
            }
        } else if (value.isArray() && items != null) {
            Map<NodeKey, JsonNode> byKey = new HashMap<>();
            if (schema.listKind() == TypeSchema.ListKind.MAP) {
                before.forEach(element -> byKey.put(key(schema, element), element));
            }
            for (int i = 0; i < value.size(); i++) {
                @Nullable JsonNode same = byKey.isEmpty() ? null : byKey.get(key(schema, value.get(i)));
                value(items, value.get(i), same, at.at(i));
            }
        }
    }

    private static NodeKey key(TypeSchema list, JsonNode element) {
        return NodeKey.of(IdentityCheck.key(list.keys(), element));
    }

    private static boolean hasType(TypeSchema schema, JsonNode value) {
        if (schema.intOrString()) {
            return value.isTextual() || isInteger(value);
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> isInteger(value);
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> !value.isNull() || schema.type().isEmpty();
        };
    }

    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    /** Returns the type of a value in messages. */
    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case STRING, BINARY -> "string";
            case OBJECT, POJO -> "object";
        };
    }

    private void allowed(Constraints constraints, JsonNode value, FieldPath at) {
        if (!constraints.allows(value)) {
            causes.notSupported(
                    at,
                    FieldErrorMessages.shown(value),
                    constraints.allowed().stream()
                            .map(one -> one.isTextual() ? one.textValue() : one.toString())
                            .toList());
        }
    }

    private void invalid(FieldPath at, String badValue, String detail) {
        causes.invalid(at, badValue, at + " in body " + detail);
    }

    private void text(Constraints constraints, String text, FieldPath at) {
        JsonNode maxLength = constraints.bound("maxLength");
        JsonNode shortest = constraints.bound("minLength");
        long length = text.codePointCount(0, text.length());
        if (maxLength.isNumber() && length > maxLength.asLong()) {
            causes.tooLong(at, maxLength.asLong());
        }
        if (shortest.isNumber() && length < shortest.asLong()) {
            invalid(at, FieldErrorMessages.quoted(text), "should be at least " + shortest.asLong() + " chars long");
        }
        String expression = constraints.bound("pattern").asText("");
        if (!expression.isEmpty()) {
            pattern(expression, text, at);
        }
        String format = constraints.bound("format").asText("");
        if (!format.isEmpty() && !isTooLong(text, 0, at) && !TextFormats.holds(format, text)) {
            String actual = FieldErrorMessages.quoted(text);
            causes.wrongType(at, actual, at + " in body must be of type " + format + ": " + actual);
        }
    }

    /** Checks a pattern. One that does not compile, as its definition is older than the limits, matches nothing. */
    private void pattern(String expression, String text, FieldPath at) {
        String desired = expression;
        try {
            Pattern pattern = RegularExpressions.compile(expression);
            if (isTooLong(text, pattern.programSize(), at)
                    || pattern.matcher(text).find()) {
                return;
            }
        } catch (PatternSyntaxException e) {
            desired += ", but pattern is invalid: " + e.getMessage();
        }
        invalid(at, FieldErrorMessages.quoted(text), "should match '" + desired + "'");
    }

    /** Charges the steps of a pattern over a string, and reports when there are too many: junctors multiply. */
    private boolean isTooLong(String text, int instructions, FieldPath at) {
        steps += text.length() / SHORT_PATTERNS
                + (long) text.length() * Math.max(0, instructions - STEPS_OF_A_CHARACTER);
        if (steps > MAX_STEPS) {
            causes.invalid(at, "\"\"", "the object is too large for the patterns of its schema");
        }
        return steps > MAX_STEPS;
    }

    private void number(Constraints constraints, JsonNode value, FieldPath at) {
        bound(constraints, "aximum", 1, value, at);
        bound(constraints, "inimum", -1, value, at);
        JsonNode multiple = constraints.bound("multipleOf");
        if (multiple.isNumber()
                && multiple.decimalValue().signum() > 0
                && value.decimalValue().remainder(multiple.decimalValue()).signum() != 0) {
            invalid(at, value.toString(), "should be a multiple of " + multiple.asText());
        }
    }

    /** Checks one bound, whose name lacks its first letter; the sign is that of violating differences. */
    private void bound(Constraints constraints, String name, int sign, JsonNode value, FieldPath at) {
        JsonNode bound = constraints.bound("m" + name);
        boolean strictly = constraints.bound("exclusiveM" + name).asBoolean();
        if (bound.isNumber()) {
            int beyond = sign * value.decimalValue().compareTo(bound.decimalValue());
            if (beyond > 0 || (strictly && beyond == 0)) {
                String than = (sign > 0 ? "less" : "greater") + " than " + (strictly ? "" : "or equal to ");
                invalid(at, value.toString(), "should be " + than + bound.asText());
            }
        }
    }

    private void size(Constraints constraints, String of, int size, FieldPath at) {
        JsonNode max = constraints.bound("max" + of);
        if (max.isNumber() && size > max.asLong()) {
            causes.tooMany(at, size, max.asLong());
        }
        JsonNode min = constraints.bound("min" + of);
        if (min.isNumber() && size < min.asLong()) {
            String name = of.equals("Items") ? "items" : "properties";
            invalid(at, Integer.toString(size), "should have at least " + min.asLong() + " " + name);
        }
    }

    private void alternatives(Constraints constraints, JsonNode value, FieldPath at) {
        String name = FieldErrorMessages.quoted(at.toString());
        if (!constraints.anyOf().isEmpty() && constraints.anyOf().stream().noneMatch(one -> isValid(one, value, at))) {
            causes.invalid(NOWHERE, "\"\"", name + " must validate at least one schema (anyOf)");
            value(constraints.anyOf().getFirst(), value, null, at);
        }
        if (!constraints.oneOf().isEmpty()) {
            long matching = constraints.oneOf().stream()
                    .filter(one -> isValid(one, value, at))
                    .count();
            if (matching != 1) {
                String message = matching == 0 ? "Found none valid" : "Found " + matching + " valid alternatives";
                causes.invalid(NOWHERE, "\"\"", name + " must validate one and only one schema (oneOf). " + message);
                if (matching == 0) {
                    value(constraints.oneOf().getFirst(), value, null, at);
                }
            }
        }
        int failed = 0;
        for (TypeSchema one : constraints.allOf()) {
            int before = causes.found();
            value(one, value, null, at);
            failed += causes.found() > before ? 1 : 0;
        }
        if (failed > 0) {
            String none = failed == constraints.allOf().size() ? ". None validated" : "";
            causes.invalid(NOWHERE, "\"\"", name + " must validate all the schemas (allOf)" + none);
        }
        @Nullable TypeSchema not = constraints.not();
        if (not != null && isValid(not, value, at)) {
            causes.invalid(NOWHERE, "\"\"", name + " must not validate the schema (not)");
        }
    }

    private boolean isValid(TypeSchema schema, JsonNode value, FieldPath at) {
        Causes outer = causes;
        try {
            return Causes.none(found -> {
                causes = found;
                value(schema, value, null, at);
            });
        } finally {
            causes = outer;
        }
    }
}
