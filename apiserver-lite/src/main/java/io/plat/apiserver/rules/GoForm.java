package io.plat.apiserver.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.ProgramData;
import java.util.Locale;

/**
 * JSON of kube-apiserver's internal types, which some of its messages and annotations contain: all fields, under the names of Go's structs.
 * Their order and zero values are data ({@code go-forms.json}); {@code ?NAME} is a pointer to another form, {@code []NAME} a list,
 * {@code {}NAME} a map, and a name with a leading dot an embedded struct, whose fields have their served names.
 */
public final class GoForm {
    private static final JsonNode FORMS = ProgramData.json(GoForm.class, "go-forms.json");

    private GoForm() {}

    /** Returns an object in a form; any other value as it is. */
    public static JsonNode of(String name, JsonNode value) {
        if (!value.isObject()) {
            return value;
        }
        ObjectNode shown = JsonNodeFactory.instance.objectNode();
        FORMS.required(name).properties().forEach(field -> {
            if (field.getKey().startsWith(".")) {
                value.path(field.getKey().substring(1))
                        .properties()
                        .forEach(inner -> shown.set(inner.getKey(), inner.getValue()));
            } else {
                shown.set(field.getKey(), member(field.getValue(), value.path(served(field.getKey()))));
            }
        });
        return shown;
    }

    private static JsonNode member(JsonNode form, JsonNode value) {
        String type = form.isTextual() ? form.asText() : "";
        if (type.isEmpty()) {
            return value.isMissingNode() ? form : value;
        }
        if (type.startsWith("[]") && value.isArray()) {
            ArrayNode list = JsonNodeFactory.instance.arrayNode();
            value.forEach(element -> list.add(of(type.substring(2), element)));
            return list;
        }
        if (type.startsWith("{}") && value.isObject()) {
            ObjectNode map = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(entry -> map.set(entry.getKey(), of(type.substring(2), entry.getValue())));
            return map;
        }
        if (type.startsWith("[]") || type.startsWith("{}") || (type.startsWith("?") && !value.isObject())) {
            return NullNode.getInstance();
        }
        return of(type.replace("?", ""), value.isObject() ? value : JsonNodeFactory.instance.objectNode());
    }

    /** Returns the served name of a field: {@code apiVersion} for {@code APIVersion}. */
    public static String served(String field) {
        int capitals = 0;
        while (capitals < field.length() && Character.isUpperCase(field.charAt(capitals))) {
            capitals++;
        }
        int lower = capitals == field.length() ? capitals : Math.max(1, capitals - 1);
        return field.substring(0, lower).toLowerCase(Locale.ROOT) + field.substring(lower);
    }

    /** Returns the served form of an object and those in its lists: served names, without nulls. */
    public static JsonNode served(JsonNode value) {
        ObjectNode served = JsonNodeFactory.instance.objectNode();
        value.properties().stream()
                .filter(field -> !field.getValue().isNull())
                .forEach(field -> served.set(served(field.getKey()), served(field.getValue())));
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        value.forEach(element -> list.add(value.isArray() ? served(element) : element));
        return value.isObject() ? served : value.isArray() ? list : value;
    }
}
