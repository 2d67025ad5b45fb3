package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * A document while operations are applied to it. Small patches must not make large documents: what copies add is bounded in all, and
 * so is the depth, because whoever reads the document afterwards goes down into it.
 */
final class Application {
    /** What all copies together may add, in characters of JSON: as much as a body may have. */
    static final int MAX_COPIED = 3 << 20;

    /** No value lies deeper. */
    static final int MAX_DEPTH = 128;

    /** What all operations together look at of the values that they place: enough for many on what a body can hold. */
    private static final int MAX_SEEN = 4_000_000;

    private JsonNode document;
    private long copied;
    private int seen;

    Application(JsonNode document) {
        this.document = document;
    }

    JsonNode document() {
        return document;
    }

    /** The value at a place. */
    Optional<JsonNode> value(Pointer path) {
        if (path.whole()) {
            return Optional.of(document);
        }
        return path.holder(document)
                .map(holder -> Pointer.child(holder, path.last()))
                .filter(value -> !value.isMissingNode());
    }

    /** Whether there could be a value at a place. */
    boolean hasHolder(Pointer path) {
        return path.holder(document).isPresent();
    }

    boolean mayCopy(JsonNode value) {
        copied += value.toString().length();
        return copied <= MAX_COPIED;
    }

    boolean add(Pointer path, JsonNode value) {
        if (path.whole()) {
            return replaceWhole(value);
        }
        Optional<JsonNode> holder = path.holder(document);
        if (holder.isEmpty() || tooDeep(path, value)) {
            return false;
        }
        if (holder.get() instanceof ArrayNode list) {
            int at = path.last().equals("-") ? list.size() : Pointer.index(path.last(), list.size() + 1);
            if (at >= 0) {
                list.insert(at, value);
            }
            return at >= 0;
        }
        ((ObjectNode) holder.get()).set(path.last(), value);
        return true;
    }

    boolean replace(Pointer path, JsonNode value) {
        if (path.whole()) {
            return replaceWhole(value);
        }
        Optional<JsonNode> holder = path.holder(document);
        if (holder.isEmpty() || tooDeep(path, value)) {
            return false;
        }
        if (holder.get() instanceof ArrayNode list) {
            int at = Pointer.index(path.last(), list.size());
            if (at >= 0) {
                list.set(at, value);
            }
            return at >= 0;
        }
        ((ObjectNode) holder.get()).set(path.last(), value);
        return true;
    }

    private boolean replaceWhole(JsonNode value) {
        document = value;
        return Pointer.holds(value);
    }

    /** Takes a value out; empty where there was none, and for the whole document, without which there is nothing to patch. */
    Optional<JsonNode> take(Pointer path) {
        if (path.whole()) {
            return Optional.empty();
        }
        Optional<JsonNode> taken = value(path);
        if (taken.isPresent()) {
            JsonNode holder = path.holder(document).orElseThrow();
            if (holder instanceof ArrayNode list) {
                list.remove(Pointer.index(path.last(), list.size()));
            } else {
                ((ObjectNode) holder).remove(path.last());
            }
        }
        return taken;
    }

    /** Also true once all operations together have looked at too much: each looks at all that it places. */
    private boolean tooDeep(Pointer path, JsonNode value) {
        return path.depth() + depth(value) > MAX_DEPTH || seen > MAX_SEEN;
    }

    /** How many values lie within each other; what came from a body or passed {@link #tooDeep} is never deep. */
    private int depth(JsonNode value) {
        int deepest = 0;
        for (JsonNode child : value) {
            if (++seen > MAX_SEEN) {
                break;
            }
            deepest = Math.max(deepest, depth(child));
        }
        return value.isContainerNode() ? deepest + 1 : 0;
    }
}
