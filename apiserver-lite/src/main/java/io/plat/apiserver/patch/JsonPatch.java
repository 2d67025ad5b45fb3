package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.tree.Json;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON patch (RFC 6902), with the deviations of kube-apiserver: replace adds an absent member, copying an absent one yields null, and
 * negative indices count from the end of a list.
 */
record JsonPatch(List<Operation> operations, List<String> warnings, int values) implements Patch {
    static final int MAX_OPERATIONS = 10_000;

    private static final int MAX_WARNINGS = 100;

    private static final Set<String> MEMBERS = Set.of("op", "path", "from", "value");

    JsonPatch {
        operations = List.copyOf(operations);
        warnings = List.copyOf(warnings);
    }

    static JsonPatch of(JsonNode document, List<String> repeated) throws StatusException {
        if (document.isNull()) {
            return new JsonPatch(List.of(), List.of(), 0);
        }
        if (!(document instanceof ArrayNode list)) {
            throw undecodable(document, "Go value of type []handlers.jsonPatchOp");
        }
        if (list.size() > MAX_OPERATIONS) {
            throw new StatusException(
                    StatusReason.REQUEST_ENTITY_TOO_LARGE,
                    "Request entity too large: The allowed maximum operations in a JSON patch is " + MAX_OPERATIONS
                            + ", got " + list.size());
        }
        var operations = new ArrayList<Operation>(list.size());
        var warnings = new ArrayList<String>();
        repeated.forEach(line -> warnings.add("json patch " + line));
        for (int i = 0; i < list.size(); i++) {
            operations.add(operation(list.get(i), "[" + i + "].", warnings));
        }
        return new JsonPatch(operations, warnings, values(list));
    }

    /**
     * Operation.
     *
     * @param from source of move and copy, else null
     */
    record Operation(
            String name, @Nullable Pointer path, @Nullable Pointer from, JsonNode value) {
        /** Applies the operation; returns false if it fails, as unknown or incomplete ones always do. */
        boolean applyTo(PatchedDocument document) {
            if (path == null) {
                return false;
            }
            return switch (name) {
                case "add" -> document.add(path, value.deepCopy());
                case "remove" -> document.remove(path);
                case "replace" -> document.replace(path, value.deepCopy());
                case "move" -> from != null && document.move(from, path);
                case "copy" -> from != null && document.copy(from, path);
                case "test" -> document.test(path, value);
                default -> false;
            };
        }
    }

    private static @Nullable Pointer pointer(ObjectNode object, String member) {
        JsonNode text = object.path(member);
        return text.isTextual() ? Pointer.parse(text.asText()).orElse(null) : null;
    }

    private static int values(JsonNode value) {
        int values = 1;
        for (JsonNode child : value) {
            values += values(child);
        }
        return values;
    }

    private static Operation operation(JsonNode item, String at, List<String> warnings) throws StatusException {
        if (!(item instanceof ObjectNode object)) {
            throw undecodable(item, "Go value of type handlers.jsonPatchOp");
        }
        for (String member : List.of("op", "path", "from")) {
            JsonNode value = object.path(member);
            if (!value.isTextual() && !value.isMissingNode() && !value.isNull()) {
                throw undecodable(value, "Go struct field jsonPatchOp." + member + " of type string");
            }
        }
        object.fieldNames().forEachRemaining(name -> {
            if (!MEMBERS.contains(name) && warnings.size() < MAX_WARNINGS) {
                warnings.add("json patch unknown field \"" + at + name + "\"");
            }
        });
        JsonNode value = object.has("value") ? object.path("value") : object.nullNode();
        return new Operation(object.path("op").asText(), pointer(object, "path"), pointer(object, "from"), value);
    }

    private static StatusException undecodable(JsonNode actual, String expected) {
        return new StatusException(
                StatusReason.BAD_REQUEST, "error decoding patch: " + Json.cannotUnmarshal(actual, expected));
    }

    @Override
    public JsonNode apply(ObjectNode document) throws StatusException {
        var patched = new PatchedDocument(document, values);
        for (Operation operation : operations) {
            if (!operation.applyTo(patched)) {
                // kube-apiserver gives no details, whichever operation fails.
                throw new StatusException(Status.of(
                                StatusReason.INVALID, "the server rejected our request due to an error in our request")
                        .withDetails(Status.Details.about("", "", "")));
            }
        }
        return patched.root();
    }
}
