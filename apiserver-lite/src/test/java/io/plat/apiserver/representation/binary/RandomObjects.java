package io.plat.apiserver.representation.binary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Random objects of the schemas, as servers write them: significant zeros only, no empty optional arrays, quantities and times in canonical
 * form.
 */
final class RandomObjects {
    private static final int DEEP = 9;
    private static final String[] TEXTS = {
        "",
        "a",
        "nginx:1.25",
        "kube-system",
        "a/b",
        "\"quoted\"\\",
        "line\nbreak\ttab",
        "käse",
        "日本",
        "\uD83D\uDE00",
        "\u0000\u001f\u2028"
    };
    private static final String[] QUANTITIES = {"0", "1", "100m", "2Gi", "1500Mi", "12e6", "0.5", "-3k", "1E"};

    private final Map<String, JsonNode> definitions = SchemaFiles.definitions();
    private final Descriptions descriptions;
    private final BinaryForms plans;
    private final Random random;

    RandomObjects(Descriptions descriptions, long seed) {
        this.descriptions = descriptions;
        this.plans = BinaryForms.builtIn();
        this.random = new Random(seed);
    }

    /** Returns an object of a type, with kind and apiVersion. */
    ObjectNode object(TypeMeta type, String message) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("kind", type.kind());
        object.put("apiVersion", type.apiVersion());
        object.setAll(fields(message, 0));
        return object;
    }

    private JsonNode definition(String message) {
        for (String candidate : new String[] {
            message,
            message.replace("authorization.v1beta1", "authorization.v1"),
            message.replace("rbac.v1alpha1", "rbac.v1")
        }) {
            JsonNode found = definitions.get(candidate
                    .replace("k8s.io.", "io.k8s.")
                    .replace("apiextensions_apiserver", "apiextensions-apiserver")
                    .replace("kube_aggregator", "kube-aggregator"));
            if (found != null) {
                return found;
            }
        }
        throw new AssertionError("no schema for " + message);
    }

    private ObjectNode fields(String message, int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        JsonNode definition = definition(message);
        Set<String> required = new HashSet<>();
        definition.path("required").forEach(name -> required.add(name.asText()));
        definition.path("properties").properties().forEach(property -> {
            String name = property.getKey();
            // The binary form has no kind and apiVersion of nested objects.
            boolean placed = plans.plan(message).named(name) != null;
            boolean must = required.contains(name);
            if (placed && (must || (depth < DEEP && random.nextInt(3) > 0))) {
                boolean zero = must || descriptions.zeroCounts(message, name);
                JsonNode value = value(message, property.getValue(), zero, must, depth + 1);
                if (value != null) {
                    object.set(name, value);
                }
            }
        });
        return object;
    }

    private @Nullable JsonNode value(String within, JsonNode schema, boolean zero, boolean mayBeEmpty, int depth) {
        if (schema.has("$ref")) {
            return reference(
                    within, schema.path("$ref").asText().replace("#/definitions/", ""), zero, mayBeEmpty, depth);
        }
        return switch (schema.path("type").asText()) {
            case "string" -> string(schema, zero);
            case "integer" -> integer(schema.path("format").asText(), zero);
            case "boolean" -> BooleanNode.valueOf(!zero || random.nextBoolean());
            case "number" ->
                new DoubleNode(random.nextBoolean() ? random.nextInt(-50, 50) : random.nextGaussian() * 1e9);
            case "array" -> array(within, schema, mayBeEmpty, depth);
            case "object" -> map(within, schema, mayBeEmpty, depth);
            default -> throw new AssertionError(schema);
        };
    }

    private ArrayNode array(String within, JsonNode schema, boolean mayBeEmpty, int depth) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (int count = count(mayBeEmpty, depth); count > 0; count--) {
            array.add(value(within, schema.path("items"), true, true, depth + 1));
        }
        return array;
    }

    private ObjectNode map(String within, JsonNode schema, boolean mayBeEmpty, int depth) {
        ObjectNode map = JsonNodeFactory.instance.objectNode();
        for (int count = count(mayBeEmpty, depth); count > 0; count--) {
            map.set(text(true) + count, value(within, schema.path("additionalProperties"), true, true, depth + 1));
        }
        return map;
    }

    private int count(boolean mayBeEmpty, int depth) {
        return random.nextInt(mayBeEmpty ? 0 : 1, depth > 5 ? 2 : 4);
    }

    private TextNode string(JsonNode schema, boolean zero) {
        if (schema.path("format").asText().equals("byte")) {
            var bytes = new byte[random.nextInt(zero ? 0 : 1, 20)];
            random.nextBytes(bytes);
            return new TextNode(Base64.getEncoder().encodeToString(bytes));
        }
        return new TextNode(text(zero));
    }

    private String text(boolean mayBeEmpty) {
        var text = new StringBuilder(TEXTS[random.nextInt(mayBeEmpty ? 0 : 1, TEXTS.length)]);
        while (random.nextInt(10) == 0) {
            text.append(TEXTS[random.nextInt(TEXTS.length)].repeat(random.nextInt(40)));
        }
        return text.toString();
    }

    private JsonNode integer(String format, boolean zero) {
        long value = switch (random.nextInt(4)) {
            case 0 -> random.nextInt(1, 100);
            case 1 -> -random.nextInt(1, 100);
            case 2 -> format.equals("int64") ? random.nextLong() : random.nextInt();
            default -> format.equals("int64") ? Long.MIN_VALUE : Integer.MAX_VALUE;
        };
        if (zero ? random.nextInt(3) == 0 : value == 0) {
            value = zero ? 0 : 1;
        }
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    private JsonNode reference(String within, String definition, boolean zero, boolean must, int depth) {
        String name = definition.substring(definition.lastIndexOf('.') + 1);
        return switch (name) {
            case "Quantity" -> new TextNode(QUANTITIES[random.nextInt(QUANTITIES.length)]);
            case "Time" -> time(ChronoUnit.SECONDS);
            case "MicroTime" -> time(ChronoUnit.MICROS);
            case "IntOrString" -> random.nextBoolean() ? new TextNode(text(true)) : integer("int32", zero);
            case "FieldsV1" -> anyObject(depth);
            case "RawExtension" -> anyObject(depth);
            case "JSON" -> any(must, depth);
            case "JSONSchemaPropsOrArray" ->
                random.nextBoolean()
                        ? schema(depth)
                        : JsonNodeFactory.instance
                                .arrayNode()
                                .add(schema(depth))
                                .add(schema(depth));
            case "JSONSchemaPropsOrBool" ->
                random.nextBoolean() ? schema(depth) : BooleanNode.valueOf(random.nextBoolean());
            case "JSONSchemaPropsOrStringArray" ->
                random.nextBoolean()
                        ? schema(depth)
                        : JsonNodeFactory.instance.arrayNode().add("a").add("");
            default -> fields(sameVersion(within, Descriptions.messageOf(definition)), depth);
        };
    }

    /** A version's messages refer to each other, though its schemas are another's. */
    private String sameVersion(String within, String message) {
        String own = within.substring(0, within.lastIndexOf('.')) + message.substring(message.lastIndexOf('.'));
        boolean like = within.contains("authorization.v1beta1") || within.contains("rbac.v1alpha1");
        return like && descriptions.fields(own).isPresent() ? own : message;
    }

    private ObjectNode schema(int depth) {
        return fields(
                "k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
                Math.max(depth + 3, DEEP - 2));
    }

    private TextNode time(ChronoUnit precision) {
        Instant time = Instant.ofEpochSecond(
                random.nextLong(-62_135_596_800L, 253_402_300_800L), random.nextInt(1_000_000_000));
        String seconds = time.truncatedTo(ChronoUnit.SECONDS).toString();
        String text = precision == ChronoUnit.SECONDS
                ? seconds
                : seconds.replace("Z", String.format(Locale.ROOT, ".%06dZ", time.get(ChronoField.MICRO_OF_SECOND)));
        return new TextNode(text);
    }

    private ObjectNode anyObject(int depth) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.set("f:metadata", any(true, depth + 1));
        object.set("{}", any(true, depth + 1));
        return object;
    }

    private JsonNode any(boolean mayBeNull, int depth) {
        return switch (random.nextInt(depth > DEEP ? 5 : 7)) {
            case 0 -> mayBeNull ? NullNode.getInstance() : BooleanNode.TRUE;
            case 1 -> BooleanNode.valueOf(random.nextBoolean());
            case 2 -> integer("int64", true);
            case 3 -> new TextNode(text(true));
            case 4 -> new DoubleNode(random.nextGaussian());
            case 5 -> JsonNodeFactory.instance.arrayNode().add(any(true, depth + 1));
            default -> anyObject(depth + 1);
        };
    }
}
