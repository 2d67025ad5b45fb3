package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.schema.TypeSchema;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A strategic merge patch: a merge patch that goes into lists whose elements the schema tells apart, with directives of its own.
 *
 * <ul>
 *   <li>{@code $patch: replace} in an object puts the patch in its place; {@code delete} empties it, and takes an element out of a
 *       list; {@code replace} as an element of a list puts the others in the list's place.
 *   <li>{@code $setElementOrder/LIST} says in which order the elements stand afterwards.
 *   <li>{@code $deleteFromPrimitiveList/LIST} takes values out of a list.
 *   <li>{@code $retainKeys} names the only fields that an object keeps.
 * </ul>
 *
 * @param changes the patch, which is not changed by its application
 * @param schema the form of the documents that it is applied to
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
        throw Patch.noObject(document);
    }

    @Override
    public JsonNode apply(ObjectNode document) throws StatusException {
        // A copy: directives are taken out of it as they are followed, and the patch may be applied again.
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
            // Also where nothing is yet: directives and nulls say nothing there and must not be stored.
            boolean into = present instanceof ObjectNode && schema.merging().merges();
            target.set(name, object(into ? (ObjectNode) present : target.objectNode(), inner, schema));
        } else if (change instanceof ArrayNode list) {
            target.set(name, list(present, list, schema));
        } else {
            target.set(name, change);
        }
    }

    private static ArrayNode list(JsonNode present, ArrayNode changes, TypeSchema schema) throws StatusException {
        if (!merges(schema)) {
            return plain(changes, schema);
        }
        return merged(present instanceof ArrayNode old ? old : changes.arrayNode(), changes, schema)
                .inOrder();
    }

    /** Whether a patch goes into a list. */
    private static boolean merges(TypeSchema schema) {
        return schema.form() == TypeSchema.Form.LIST && schema.merging().merges();
    }

    /** A list that takes the place of what is there. */
    private static ArrayNode plain(ArrayNode changes, TypeSchema schema) throws StatusException {
        ArrayNode list = changes.arrayNode();
        for (JsonNode item : changes) {
            list.add(item instanceof ObjectNode inner ? object(list.objectNode(), inner, schema.element()) : item);
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

    /** Takes away what is not to be kept. */
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

    /** Lists whose order is said: merged, put in order, and done with. */
    private static void order(ObjectNode target, ObjectNode changes, TypeSchema schema) throws StatusException {
        for (Map.Entry<String, JsonNode> change : List.copyOf(changes.properties())) {
            if (!change.getKey().startsWith(ORDER)) {
                continue;
            }
            changes.remove(change.getKey());
            String name = change.getKey().substring(ORDER.length());
            if (!(change.getValue() instanceof ArrayNode wanted)) {
                throw badRequest("invalid patch format of setElementOrder list");
            }
            TypeSchema list = schema.at(name).orElse(TypeSchema.UNKNOWN);
            JsonNode sent = changes.path(name);
            if (sent instanceof ArrayNode items) {
                ListMerge.requireSameOrder(items, wanted, list.merging().key());
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
            target.set(name, merge.inOrder(wanted));
            changes.remove(name);
        }
    }

    static StatusException invalid(String why) {
        return new StatusException(StatusReason.INVALID, why);
    }

    static StatusException badRequest(String why) {
        return new StatusException(StatusReason.BAD_REQUEST, why);
    }
}
