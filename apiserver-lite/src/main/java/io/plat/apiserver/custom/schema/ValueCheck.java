package io.plat.apiserver.custom.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.plat.apiserver.memory.TreeSize;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.schema.Constraints;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.schema.FieldPath;
import io.plat.apiserver.schema.NodeKey;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.text.RegularExpressions;
import io.plat.cel.text.TextFormats;
import io.plat.review.status.Status;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Validates values by their schemas, with Kubernetes' messages. */
public final class ValueCheck {
    /** Path of the causes of alternatives, which Kubernetes does not state. */
    private static final FieldPath NOWHERE = FieldPath.of("<nil>");

    /** Steps within junctors, which multiply, that any object may take, in addition to those for each of its values. */
    private static final int STEPS = 200_000;

    private static final int STEPS_OF_A_VALUE = 8;

    /** Characters of a text, or bytes of a larger value in memory, that are processed in one step. */
    private static final int SIZE_OF_A_STEP = 16;

    /** Pattern instructions per character of a string. */
    private static final int STEPS_OF_A_CHARACTER = 60;

    /** Number of patterns of few instructions over a string that count as one step for each of its characters. */
    private static final int SHORT_PATTERNS = 6;

    /** Additional steps of all patterns over the strings of one object: characters times instructions. */
    private static final long MAX_STEPS = 2_000_000;

    private static final Set<String> INTEGERS = Set.of("int32", "int64");
    private static final Set<String> NUMBER_FORMATS = Set.of("int32", "int64", "float", "double");

    private final Causes causes;
    private long left = STEPS;
    private long patternSteps;
    private int junctors;
    private boolean tries;
    private boolean failed;

    private ValueCheck(Causes causes) {
        this.causes = causes;
    }

    /** Ends a check that takes too many steps. */
    private static final class TooCostlyException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient FieldPath at;
        private final String part;

        TooCostlyException(FieldPath at, String part) {
            super(part, null, false, false);
            this.at = at;
            this.part = part;
        }
    }

    public static void check(TypeSchema schema, JsonNode value, FieldPath at, Causes causes) {
        new ValueCheck(causes).root(schema, value, null, at);
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
            new ValueCheck(causes).root(schema, value, before, at);
        }
    }

    /** Validates a part of an object; messages name its fields without the path of the part. */
    public static void part(TypeSchema schema, JsonNode value, @Nullable JsonNode before, FieldPath at, Causes causes) {
        List<Status.Cause> wrong = Causes.of(found -> check(schema, value, before, FieldPath.ROOT, found));
        wrong.forEach(cause -> causes.add(
                cause.reason(),
                cause.message(),
                Set.of("", "<nil>").contains(cause.field()) ? at : at.field(cause.field())));
    }

    private void root(TypeSchema schema, JsonNode value, @Nullable JsonNode before, FieldPath at) {
        try {
            value(schema, value, before, at);
        } catch (TooCostlyException e) {
            causes.invalid(e.at, "\"\"", "the object is too large for the " + e.part + " of its schema");
        }
    }

    /** Reports an error; the failure of an alternative that is only tried, without the cost of a message. */
    private void report(Consumer<Causes> error) {
        if (tries) {
            failed = true;
        } else {
            error.accept(causes);
        }
    }

    private void take(long steps, FieldPath at) {
        left -= steps;
        if (left < 0) {
            throw new TooCostlyException(at, "alternatives");
        }
    }

    private void value(TypeSchema schema, JsonNode value, @Nullable JsonNode before, FieldPath at) {
        if (failed || value.equals(before)) {
            return;
        }
        if (junctors > 0) {
            take(1 + (value.isTextual() ? value.textValue().length() / SIZE_OF_A_STEP : 0), at);
        } else {
            left += STEPS_OF_A_VALUE;
        }
        if (!hasType(schema, value) && !(value.isNull() && schema.nullable())) {
            wrongType(schema, value, at);
        }
        JsonNode earlier = before == null ? MissingNode.getInstance() : before;
        Constraints constraints = schema.constraints();
        if (constraints.none()) {
            below(schema, value, earlier, at);
            return;
        }
        // In kube-apiserver's order, which also applies to values of the wrong type.
        if (!value.isNull() && constraints.hasJunctors()) {
            junctors++;
            alternatives(constraints, value, at);
            junctors--;
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
            required(constraints.required(), value, at);
        }
    }

    private void required(List<String> names, JsonNode value, FieldPath at) {
        if (junctors > 0) {
            take(names.size(), at);
        }
        for (String name : names) {
            if (!failed && !value.has(name)) {
                report(found -> found.required(at.field(name), ""));
            }
        }
    }

    /** Reports a value of the wrong type. kube-apiserver compares the format first, if there is one, and knows those of numbers only. */
    private void wrongType(TypeSchema schema, JsonNode value, FieldPath at) {
        // A format that accepts anything is unknown.
        String format = schema.format();
        boolean known = NUMBER_FORMATS.contains(format) || !TextFormats.holds(format, "\0");
        boolean byFormat = known && !value.isNull() && !value.isTextual();
        if (byFormat && value.isArray() && schema.type().equals("string")) {
            return;
        }
        report(found -> {
            String number = value.isIntegralNumber() ? "int64" : value.isNumber() ? "float64" : "";
            String type = schema.intOrString() ? "integer,string" : schema.type();
            String expected = byFormat && !value.isArray() ? format : type;
            String actual = FieldErrorMessages.quoted(byFormat && !value.isArray() ? number : kind(value));
            found.wrongType(at, actual, at + " in body must be of type " + expected + ": " + actual);
        });
    }

    private void below(TypeSchema schema, JsonNode value, JsonNode before, FieldPath at) {
        @Nullable TypeSchema items = schema.items();
        boolean described = items != null
                || schema.additional() != null
                || !schema.properties().isEmpty();
        if (failed || !described) {
            return;
        }
        if (junctors > 0) {
            take(value.size(), at);
        }
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
        if (value.isContainerNode() && !constraints.allowed().isEmpty()) {
            take(TreeSize.of(value) / SIZE_OF_A_STEP, at);
        }
        // No enumeration has a null.
        if (!constraints.allows(value)
                || (value.isNull() && !constraints.allowed().isEmpty())) {
            report(found -> found.notSupported(
                    at,
                    FieldErrorMessages.shown(value),
                    constraints.allowed().stream()
                            .map(one -> one.isTextual() ? one.textValue() : one.toString())
                            .toList()));
        }
    }

    private void invalid(FieldPath at, String badValue, String detail) {
        report(found -> found.invalid(at, badValue, at + " in body " + detail));
    }

    private void text(Constraints constraints, String text, FieldPath at) {
        length(constraints, text, at);
        String format = constraints.bound("format").asText("");
        if (!format.isEmpty()) {
            takeForPattern(text, 0, at);
            if (!TextFormats.holds(format, text)) {
                report(found -> {
                    String actual = FieldErrorMessages.quoted(text);
                    found.wrongType(at, actual, at + " in body must be of type " + format + ": " + actual);
                });
            }
        }
    }

    /** Reports the first violated constraint on the length and the pattern of a text. */
    private void length(Constraints constraints, String text, FieldPath at) {
        JsonNode longest = constraints.bound("maxLength");
        JsonNode shortest = constraints.bound("minLength");
        long length = text.codePointCount(0, text.length());
        if (longest.isNumber() && length > longest.asLong()) {
            report(found -> found.tooLong(at, longest.asLong()));
            return;
        }
        if (shortest.isNumber() && length < shortest.asLong()) {
            report(found -> found.invalid(
                    at,
                    FieldErrorMessages.quoted(text),
                    at + " in body should be at least " + shortest.asLong() + " chars long"));
            return;
        }
        String expression = constraints.bound("pattern").asText("");
        if (!expression.isEmpty()) {
            pattern(expression, text, at);
        }
    }

    /** Checks a pattern. One that does not compile, as its definition is older than the limits, matches nothing. */
    private void pattern(String expression, String text, FieldPath at) {
        String problem = "";
        try {
            Pattern pattern = RegularExpressions.compile(expression);
            takeForPattern(text, pattern.programSize(), at);
            if (pattern.matcher(text).find()) {
                return;
            }
        } catch (PatternSyntaxException e) {
            problem = ", but pattern is invalid: " + e.getMessage();
        }
        String desired = expression + problem;
        report(found ->
                found.invalid(at, FieldErrorMessages.quoted(text), at + " in body should match '" + desired + "'"));
    }

    /** Charges the steps of a pattern over a string: junctors multiply. */
    private void takeForPattern(String text, int instructions, FieldPath at) {
        patternSteps += text.length() / SHORT_PATTERNS
                + (long) text.length() * Math.max(0, instructions - STEPS_OF_A_CHARACTER);
        if (patternSteps > MAX_STEPS) {
            throw new TooCostlyException(at, "patterns");
        }
    }

    private void number(Constraints constraints, JsonNode value, FieldPath at) {
        inRange(constraints, value, "Checked", at);
        JsonNode multiple = constraints.bound("multipleOf");
        inRange(constraints, multiple, "MultipleOf", at);
        if (multiple.isNumber() && multiple.decimalValue().signum() <= 0) {
            String detail = "factor MultipleOf declared for " + at + " must be positive: " + multiple.asText();
            report(found -> found.invalid(at, multiple.asText(), detail));
        } else if (multiple.isNumber()
                && value.decimalValue().remainder(multiple.decimalValue()).signum() != 0) {
            invalid(at, value.toString(), "should be a multiple of " + multiple.asText());
        }
        inRange(constraints, constraints.bound("minimum"), "Minimum boundary", at);
        bound(constraints, "inimum", -1, value, at);
        inRange(constraints, constraints.bound("maximum"), "Maximum boundary", at);
        bound(constraints, "aximum", 1, value, at);
    }

    /** Checks that a number, if it is one, fits into the type and the format of the values. */
    private void inRange(Constraints constraints, JsonNode number, String what, FieldPath at) {
        String type = constraints.bound("type").asText("");
        String format = constraints.bound("format").asText("");
        boolean known = type.equals("integer") ? INTEGERS.contains(format) : format.equals("float");
        boolean fits = switch (type) {
            case "integer" ->
                isInteger(number) && (format.equals("int32") ? number.canConvertToInt() : number.canConvertToLong());
            case "number" -> !known || !Float.isInfinite(number.floatValue());
            default -> true;
        };
        if (number.isNumber() && !fits) {
            String form = known ? "with format " + format : "(default format)";
            report(found ->
                    found.invalid(NOWHERE, "\"\"", what + " value must be of type " + type + " " + form + " in " + at));
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
        JsonNode min = constraints.bound("min" + of);
        if (min.isNumber() && size < min.asLong()) {
            String name = of.equals("Items") ? "items" : "properties";
            invalid(at, Integer.toString(size), "should have at least " + min.asLong() + " " + name);
        }
        JsonNode max = constraints.bound("max" + of);
        if (max.isNumber() && size > max.asLong()) {
            report(found -> found.tooMany(at, size, max.asLong()));
        }
    }

    private void alternatives(Constraints constraints, JsonNode value, FieldPath at) {
        if (!constraints.anyOf().isEmpty() && valid(constraints.anyOf(), value, at, 1) == 0) {
            mismatch(at, "must validate at least one schema (anyOf)");
            value(closest(constraints.anyOf(), value, at), value, null, at);
        }
        if (!constraints.oneOf().isEmpty()) {
            int matching = valid(constraints.oneOf(), value, at, Integer.MAX_VALUE);
            if (matching != 1) {
                mismatch(
                        at,
                        "must validate one and only one schema (oneOf). "
                                + (matching == 0 ? "Found none valid" : "Found " + matching + " valid alternatives"));
                if (matching == 0) {
                    value(closest(constraints.oneOf(), value, at), value, null, at);
                }
            }
        }
        int violated = 0;
        for (TypeSchema one : constraints.allOf()) {
            if (failed) {
                // Schemas that are not tried any more take no steps, and there may be many.
                return;
            }
            int before = causes.found();
            value(one, value, null, at);
            violated += causes.found() > before ? 1 : 0;
        }
        if (violated > 0) {
            boolean none = violated == constraints.allOf().size();
            mismatch(at, "must validate all the schemas (allOf)" + (none ? ". None validated" : ""));
        }
        @Nullable TypeSchema not = constraints.not();
        if (not != null && valid(List.of(not), value, at, 1) > 0) {
            mismatch(at, "must not validate the schema (not)");
        }
    }

    /** Returns the schema whose errors are reported if a value satisfies none: the first with the most successful checks. */
    private TypeSchema closest(List<TypeSchema> schemas, JsonNode value, FieldPath at) {
        TypeSchema closest = schemas.getFirst();
        long most = -1;
        for (TypeSchema schema : schemas) {
            long checks = schemas.size() == 1 ? 0 : checks(schema, value, at);
            if (checks > most) {
                most = checks;
                closest = schema;
            }
        }
        return closest;
    }

    /** Returns about how many checks of a value kube-apiserver counts, whether they succeed or not, except for that of the type. */
    private long checks(TypeSchema schema, JsonNode value, FieldPath at) {
        take(1, at);
        boolean formatted = value.isTextual() && !schema.format().isEmpty();
        long checks = value.isNull() ? 1 : value.isNumber() || value.isArray() ? 6 : value.isBoolean() ? 4 : 5;
        checks += (hasType(schema, value) && !schema.type().isEmpty() ? 1 : 0) + (formatted ? 1 : 0);
        @Nullable TypeSchema items = schema.items();
        if (value.isArray() && items != null) {
            for (JsonNode element : value) {
                checks += checks(items, element, at);
            }
        } else if (value.isObject()) {
            for (Map.Entry<String, TypeSchema> field : schema.properties().entrySet()) {
                if (value.has(field.getKey())) {
                    checks += checks(field.getValue(), value.path(field.getKey()), at);
                }
            }
        }
        return checks;
    }

    private void mismatch(FieldPath at, String detail) {
        report(found -> found.invalid(NOWHERE, "\"\"", FieldErrorMessages.quoted(at.toString()) + " " + detail));
    }

    /** Returns the number of schemas that a value satisfies, counted up to a maximum. */
    private int valid(List<TypeSchema> schemas, JsonNode value, FieldPath at, int most) {
        boolean triedBefore = tries;
        boolean failedBefore = failed;
        int valid = 0;
        tries = true;
        for (TypeSchema schema : schemas) {
            failed = false;
            value(schema, value, null, at);
            valid += failed ? 0 : 1;
            if (valid == most) {
                break;
            }
        }
        tries = triedBefore;
        failed = failedBefore;
        return valid;
    }
}
