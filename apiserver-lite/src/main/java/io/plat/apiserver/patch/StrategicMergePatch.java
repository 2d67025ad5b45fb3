package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Strategic merge patch: a merge patch that also merges lists whose elements the schema identifies, with directives:
 * <ul>
 * <li>{@code $patch: replace} in an object replaces it by the patch; {@code delete} empties it, or removes a list element; {@code
 * replace} as a list element replaces the list by the other elements.
 * <li>{@code $setElementOrder/LIST} specifies the order of the elements.
 * <li>{@code $deleteFromPrimitiveList/LIST} removes values from a list.
 * <li>{@code $retainKeys} lists the only fields that an object retains.
 * </ul>
 *
 * @param changes the patch, not modified when applied
 */
record StrategicMergePatch(ObjectNode changes, List<String> warnings, TypeSchema schema) implements Patch {
    static final String PATCH = "$patch";
    private static final String REPLACE = "replace";
    private static final String DELETE = "delete";
    private static final String ORDER = "$setElementOrder/";
    private static final String REMOVED = "$deleteFromPrimitiveList/";
    private static final String RETAINED = "$retainKeys";

    StrategicMergePatch {
        warnings = List.copyOf(warnings);
    }

    static StrategicMergePatch of(JsonNode document, List<String> repeated, TypeSchema schema) throws StatusException {
        if (document instanceof ObjectNode changes) {
            return new StrategicMergePatch(changes, repeated, schema);
        }
        if (document.isNull()) {
            return new StrategicMergePatch(JsonNodeFactory.instance.objectNode(), repeated, schema);
        }
        throw Patch.notAnObject(document);
    }

    @Override
    public boolean keepsType() {
        return true;
    }

    @Override
    public JsonNode apply(ObjectNode document) throws StatusException {
        // Copied, since directives are removed as they are processed, and the patch may be applied again.
        return object(document, changes.deepCopy(), schema);
    }

    private static ObjectNode object(ObjectNode target, ObjectNode changes, TypeSchema schema) throws StatusException {
        JsonNode directive = changes.remove(PATCH);
        if (directive != null) {
            return switch (directive.asText()) {
                case REPLACE -> changes;
                case DELETE -> changes.objectNode();
                default -> throw invalid("unknown patch type found: " + directive.asText());
            };
        }
        retain(target, changes);
        order(target, changes, schema);
        for (Map.Entry<String, JsonNode> change : List.copyOf(changes.properties())) {
            String name = change.getKey();
            if (name.startsWith(REMOVED)) {
                ListMerge.removeValues(target, name.substring(REMOVED.length()), change.getValue());
            } else {
                field(target, name, change.getValue(), schema.at(name).orElse(TypeSchema.UNKNOWN));
            }
        }
        return target;
    }

    private static void field(ObjectNode target, String name, JsonNode change, TypeSchema schema)
            throws StatusException {
        JsonNode present = target.path(name);
        if (change.isNull()) {
            target.remove(name);
        } else if (change instanceof ObjectNode inner) {
            // Also for absent objects: directives and nulls in the patch must not be stored.
            boolean into = present instanceof ObjectNode && schema.merging().merges();
            target.set(name, object(into ? (ObjectNode) present : target.objectNode(), inner, schema));
        } else if (change instanceof ArrayNode list) {
            target.set(name, list(present, list, schema));
        } else {
            target.set(name, change);
        }
    }

    private static ArrayNode list(JsonNode present, ArrayNode changes, TypeSchema schema) throws StatusException {
        return merges(schema) && present instanceof ArrayNode old
                ? merged(old, changes, schema).inOrder()
                : plain(changes, schema);
    }

    private static boolean merges(TypeSchema schema) {
        return schema.form() == TypeSchema.Form.LIST && schema.merging().merges();
    }

    /** Returns a new list without directives, which may repeat keys. */
    private static ArrayNode plain(ArrayNode changes, TypeSchema schema) throws StatusException {
        ArrayNode list = changes.arrayNode();
        for (JsonNode item : changes) {
            if (!item.has(PATCH)) {
                list.add(item instanceof ObjectNode inner ? object(list.objectNode(), inner, schema.element()) : item);
            }
        }
        return list;
    }

    private static ListMerge merged(ArrayNode old, ArrayNode changes, TypeSchema schema) throws StatusException {
        String key = schema.merging().key();
        var merge = new ListMerge(old, key);
        var plain = new ArrayList<JsonNode>();
        boolean replaces = false;
        for (JsonNode item : changes) {
            String directive =
                    item instanceof ObjectNode object && object.path(PATCH).isTextual()
                            ? object.path(PATCH).asText()
                            : "";
            switch (directive) {
                case "" -> plain.add(item);
                case DELETE -> merge.remove(item);
                case REPLACE -> {
                    replaces = true;
                    ((ObjectNode) item).remove(PATCH);
                    if (!item.isEmpty()) {
                        plain.add(item);
                    }
                }
                default -> throw invalid("unknown patch type found: " + directive);
            }
        }
        if (replaces) {
            merge.clear();
        }
        for (JsonNode item : plain) {
            JsonNode known = merge.find(item);
            merge.put(
                    item instanceof ObjectNode inner
                            ? object(known instanceof ObjectNode o ? o : inner.objectNode(), inner, schema.element())
                            : item);
        }
        return merge;
    }

    /** Removes fields that are not retained. */
    private static void retain(ObjectNode target, ObjectNode changes) throws StatusException {
        JsonNode retained = changes.remove(RETAINED);
        if (retained == null) {
            return;
        }
        var names = new HashSet<String>();
        for (JsonNode name : retained) {
            names.add(name.asText());
        }
        if (!retained.isArray()) {
            throw badRequest("invalid patch format of retainKeys");
        }
        for (Map.Entry<String, JsonNode> change : changes.properties()) {
            if (!change.getValue().isNull() && !change.getKey().startsWith("$") && !names.contains(change.getKey())) {
                throw badRequest("invalid patch format of retainKeys");
            }
        }
        target.retain(names);
    }

    /** Processes lists with an explicit order: merges and sorts them. */
    private static void order(ObjectNode target, ObjectNode changes, TypeSchema schema) throws StatusException {
        for (Map.Entry<String, JsonNode> change : List.copyOf(changes.properties())) {
            if (!change.getKey().startsWith(ORDER)) {
                continue;
            }
            changes.remove(change.getKey());
            String name = change.getKey().substring(ORDER.length());
            if (!(change.getValue() instanceof ArrayNode desired)) {
                throw badRequest("invalid patch format of setElementOrder list");
            }
            TypeSchema list = schema.at(name).orElse(TypeSchema.UNKNOWN);
            JsonNode sent = changes.path(name);
            if (sent instanceof ArrayNode items) {
                ListMerge.requireSameOrder(items, desired, list.merging().key());
            }
            if (!(target.path(name) instanceof ArrayNode) && !(sent instanceof ArrayNode)) {
                continue;
            }
            JsonNode removed = changes.remove(REMOVED + name);
            if (removed != null) {
                ListMerge.removeValues(target, name, removed);
            }
            ArrayNode old = target.path(name) instanceof ArrayNode present ? present : target.arrayNode();
            ArrayNode items = sent instanceof ArrayNode given ? given : target.arrayNode();
            ListMerge merge = merges(list) ? merged(old, items, list) : new ListMerge(plain(items, list), "");
            target.set(name, merge.inOrder(desired));
            changes.remove(name);
        }
    }

    static StatusException invalid(String reason) {
        return new StatusException(StatusReason.INVALID, reason);
    }

    static StatusException badRequest(String reason) {
        return new StatusException(StatusReason.BAD_REQUEST, reason);
    }
}
