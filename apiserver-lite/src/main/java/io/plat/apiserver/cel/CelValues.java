package io.plat.apiserver.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.cel.ExpressionIdentifiers;
import io.plat.review.source.Durations;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Converts objects to CEL values of the types that {@link SchemaTypes} gives their schemas. */
public final class CelValues {
    private CelValues() {}

    /** Converts a value without a schema. */
    public static Object of(JsonNode value) {
        return of(TypeSchema.UNKNOWN, value, false);
    }

    /**
     * Converts a value that is valid by its schema.
     *
     * @param rootObject whether it is a whole object
     */
    public static Object of(TypeSchema schema, JsonNode value, boolean rootObject) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> NullValue.NULL_VALUE;
            case BOOLEAN -> value.booleanValue();
            case NUMBER -> number(schema, value);
            case ARRAY -> list(schema, value);
            case OBJECT, POJO -> object(schema, value, rootObject);
            case STRING, BINARY -> text(schema, value.asText());
        };
    }

    private static Object number(TypeSchema schema, JsonNode value) {
        if (schema.type().equals("number")) {
            return value.doubleValue();
        }
        return value.canConvertToLong() && (schema.type().equals("integer") || value.isIntegralNumber())
                ? (Object) value.longValue()
                : (Object) value.doubleValue();
    }

    private static Object text(TypeSchema schema, String text) {
        try {
            return switch (schema.format()) {
                case "byte" -> CelByteString.of(Base64.getDecoder().decode(text));
                case "duration" -> duration(text);
                case "date" ->
                    LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant();
                case "date-time", "datetime" ->
                    OffsetDateTime.parse(text.replace(' ', 'T')).toInstant();
                default -> text;
            };
        } catch (DateTimeException | IllegalArgumentException notOfItsFormat) {
            // New values were validated before; older ones may be anything.
            return text;
        }
    }

    /** Parses a duration in Go's format, which may have a sign. */
    private static Duration duration(String text) {
        String length = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
        Duration duration = Durations.parse(length).orElseThrow(() -> new IllegalArgumentException(text));
        return text.startsWith("-") ? duration.negated() : duration;
    }

    private static List<Object> list(TypeSchema schema, JsonNode value) {
        var list = new ArrayList<Object>(value.size());
        TypeSchema items = Objects.requireNonNullElse(schema.items(), TypeSchema.UNKNOWN);
        value.forEach(element -> list.add(of(items, element, false)));
        return list;
    }

    private static Map<String, Object> object(TypeSchema schema, JsonNode value, boolean rootObject) {
        var object = new HashMap<String, Object>();
        TypeSchema others =
                schema.additional() == null && schema.type().isEmpty() ? TypeSchema.UNKNOWN : schema.additional();
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            @Nullable TypeSchema described = schema.properties().get(field.getKey());
            if (described != null) {
                object.put(ExpressionIdentifiers.escaped(field.getKey()), of(described, field.getValue(), false));
            } else if (others != null) {
                object.put(field.getKey(), of(others, field.getValue(), false));
            }
        }
        if (rootObject || schema.embedded()) {
            object.put("apiVersion", value.path("apiVersion").asText(""));
            object.put("kind", value.path("kind").asText(""));
            object.put("metadata", metadata(value.path("metadata")));
        }
        return object;
    }

    private static Map<String, Object> metadata(JsonNode metadata) {
        var visible = new HashMap<String, Object>();
        for (String field : List.of("name", "generateName")) {
            if (metadata.path(field).isTextual()) {
                visible.put(field, metadata.path(field).textValue());
            }
        }
        return visible;
    }
}
