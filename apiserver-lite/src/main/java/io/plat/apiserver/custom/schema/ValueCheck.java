package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.FieldWords;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says where a value is not what its schema demands, in the words of existing servers. */
public final class ValueCheck {
    /** How many schemas one object is held to in all: alternatives multiply. */
    private static final int MOST_CHECKS = 2_000_000;

    /** Each character of a text may be compared with so many instructions of a pattern. */
    private static final int STEPS_OF_A_CHARACTER = 60;

    /** The further steps that all patterns together take over the texts of one object: characters times instructions. */
    private static final long MOST_STEPS = 2_000_000;

    private int checks;
    private long steps;

    private ValueCheck() {}

    /**
     * Checks a value and all below it.
     *
     * @param findings where to say it
     */
    public static void check(SchemaNode schema, JsonNode value, FieldPath at, Findings findings) {
        new ValueCheck().value(schema, value, at, findings);
    }

    private void value(SchemaNode schema, JsonNode value, FieldPath at, Findings findings) {
        if (++checks > MOST_CHECKS) {
            findings.invalid(at, "\"\"", "the object is too large for the alternatives of its schema");
            return;
        }
        if (value.isNull() && schema.nullable()) {
            return;
        }
        if (!typeHolds(schema, value)) {
            String expected = schema.intOrString() ? "integer,string" : schema.type();
            String actual = FieldWords.quoted(kind(value));
            findings.wrongType(at, actual, at + " in body must be of type " + expected + ": " + actual);
            return;
        }
        below(schema, value, at, findings);
        Demands demands = schema.demands();
        if (demands.none()) {
            return;
        }
        allowed(demands, value, at, findings);
        if (value.isTextual()) {
            text(demands, value.textValue(), at, findings);
        } else if (value.isNumber()) {
            number(demands, value, at, findings);
        } else if (value.isArray()) {
            size(demands, "Items", value.size(), at, findings);
        } else if (value.isObject()) {
            size(demands, "Properties", value.size(), at, findings);
            for (String name : demands.required()) {
                if (!value.has(name)) {
                    findings.required(at.field(name), "");
                }
            }
        }
        alternatives(demands, value, at, findings);
    }

    private void below(SchemaNode schema, JsonNode value, FieldPath at, Findings findings) {
        if (value.isObject()) {
            for (Map.Entry<String, JsonNode> field : value.properties()) {
                @Nullable SchemaNode held = schema.of(field.getKey());
                if (held != null) {
                    value(held, field.getValue(), at.field(field.getKey()), findings);
                }
            }
        } else if (value.isArray() && schema.items() != null) {
            for (int i = 0; i < value.size(); i++) {
                value(schema.items(), value.get(i), at.at(i), findings);
            }
        }
    }

    private static boolean typeHolds(SchemaNode schema, JsonNode value) {
        if (schema.intOrString()) {
            return value.isTextual() || whole(value);
        }
        return switch (schema.type()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> whole(value);
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> !value.isNull() || schema.type().isEmpty();
        };
    }

    private static boolean whole(JsonNode value) {
        return value.isIntegralNumber()
                || (value.isNumber()
                        && value.decimalValue().stripTrailingZeros().scale() <= 0);
    }

    /** What messages call the type of a value. */
    private static String kind(JsonNode value) {
        return switch (value.getNodeType()) {
            case ARRAY -> "array";
            case BOOLEAN -> "boolean";
            case NULL, MISSING -> "null";
            case NUMBER -> whole(value) ? "integer" : "number";
            case STRING, BINARY -> "string";
            case OBJECT, POJO -> "object";
        };
    }

    private static void allowed(Demands demands, JsonNode value, FieldPath at, Findings findings) {
        if (demands.allowed().isEmpty() || demands.allowed().stream().anyMatch(one -> same(one, value))) {
            return;
        }
        List<String> texts = demands.allowed().stream()
                .map(one -> one.isTextual() ? one.textValue() : one.toString())
                .toList();
        findings.notSupported(at, Findings.shown(value), texts);
    }

    /** Whether two values are equal: numbers by what they are, however they were written. */
    static boolean same(JsonNode one, JsonNode other) {
        return (one.isNumber() && other.isNumber())
                ? one.decimalValue().compareTo(other.decimalValue()) == 0
                : one.equals(other);
    }

    private void text(Demands demands, String text, FieldPath at, Findings findings) {
        JsonNode longest = demands.bound("maxLength");
        long length = text.codePointCount(0, text.length());
        if (longest.isNumber() && length > longest.asLong()) {
            findings.tooLong(at, longest.asLong());
        }
        JsonNode shortest = demands.bound("minLength");
        if (shortest.isNumber() && length < shortest.asLong()) {
            findings.invalid(
                    at,
                    FieldWords.quoted(text),
                    at + " in body should be at least " + shortest.asLong() + " chars long");
        }
        @Nullable Pattern pattern = demands.pattern();
        if (pattern != null) {
            steps += (long) text.length() * Math.max(0, pattern.programSize() - STEPS_OF_A_CHARACTER);
            if (steps > MOST_STEPS) {
                findings.invalid(at, "\"\"", "the object is too large for the patterns of its schema");
            } else if (!pattern.matcher(text).find()) {
                findings.invalid(at, FieldWords.quoted(text), at + " in body should match '" + pattern.pattern() + "'");
            }
        }
        String format = demands.bound("format").asText("");
        if (!format.isEmpty() && !TextFormats.holds(format, text)) {
            findings.invalid(
                    at,
                    FieldWords.quoted(text),
                    at + " in body must be of type " + format + ": " + FieldWords.quoted(text));
        }
    }

    private static void number(Demands demands, JsonNode value, FieldPath at, Findings findings) {
        BigDecimal number = value.decimalValue();
        JsonNode most = demands.bound("maximum");
        if (most.isNumber()) {
            boolean strictly = demands.bound("exclusiveMaximum").asBoolean();
            int compared = number.compareTo(most.decimalValue());
            if (compared > 0 || (strictly && compared == 0)) {
                findings.invalid(
                        at,
                        value.toString(),
                        at + " in body should be less than " + (strictly ? "" : "or equal to ") + most.asText());
            }
        }
        JsonNode least = demands.bound("minimum");
        if (least.isNumber()) {
            boolean strictly = demands.bound("exclusiveMinimum").asBoolean();
            int compared = number.compareTo(least.decimalValue());
            if (compared < 0 || (strictly && compared == 0)) {
                findings.invalid(
                        at,
                        value.toString(),
                        at + " in body should be greater than " + (strictly ? "" : "or equal to ") + least.asText());
            }
        }
        JsonNode multiple = demands.bound("multipleOf");
        if (multiple.isNumber()
                && multiple.decimalValue().signum() > 0
                && number.remainder(multiple.decimalValue()).signum() != 0) {
            findings.invalid(at, value.toString(), at + " in body should be a multiple of " + multiple.asText());
        }
    }

    private static void size(Demands demands, String of, int size, FieldPath at, Findings findings) {
        JsonNode most = demands.bound("max" + of);
        if (most.isNumber() && size > most.asLong()) {
            findings.tooMany(at, size, most.asLong());
        }
        JsonNode least = demands.bound("min" + of);
        if (least.isNumber() && size < least.asLong()) {
            String name = of.equals("Items") ? "items" : "properties";
            findings.invalid(
                    at, Integer.toString(size), at + " in body should have at least " + least.asLong() + " " + name);
        }
    }

    private void alternatives(Demands demands, JsonNode value, FieldPath at, Findings findings) {
        String name = FieldWords.quoted(at.toString());
        if (!demands.anyOf().isEmpty() && demands.anyOf().stream().noneMatch(one -> holds(one, value, at))) {
            findings.invalid(at, "\"\"", name + " must validate at least one schema (anyOf)");
        }
        if (!demands.oneOf().isEmpty()) {
            long held = demands.oneOf().stream()
                    .filter(one -> holds(one, value, at))
                    .count();
            if (held != 1) {
                findings.invalid(
                        at,
                        "\"\"",
                        name + " must validate one and only one schema (oneOf). "
                                + (held == 0 ? "Found none valid" : "Found " + held + " valid alternatives"));
            }
        }
        for (SchemaNode one : demands.allOf()) {
            value(one, value, at, findings);
        }
        if (demands.not() != null && holds(demands.not(), value, at)) {
            findings.invalid(at, "\"\"", name + " must not validate the schema (not)");
        }
    }

    private boolean holds(SchemaNode schema, JsonNode value, FieldPath at) {
        return Findings.none(found -> value(schema, value, at, found));
    }
}
