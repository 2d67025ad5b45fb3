package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Optional;

/**
 * A document while operations are applied to it. Small patches must not make large documents: what copies add is bounded in all, and
 * so is the depth, because whoever reads the document afterwards goes down into it.
 */
final class Application {
    /** What all copies together may add, in bytes of memory: as much as a body of text takes. */
    static final int MAX_COPIED = 3 << 20;

    /** The copies of a value that is added, as of one that was sent. */
    private static final int DERIVED = 3;

    /** No value lies deeper. */
    static final int MAX_DEPTH = 128;

    /** What all moves together look at of the values that they place, beside what the patch itself holds: that is as large as its body. */
    private static final int MAX_SEEN = 300_000;

    /** So many elements of a list are shifted in the time in which one value is looked at. */
    private static final int SHIFTED_AT_ONCE = 64;

    private JsonNode document;
    private long copied;
    private final int maxSeen;
    private int seen;

    /**
     * Of one patch.
     *
     * @param values how many values the patch holds
     */
    Application(JsonNode document, int values) {
        this.document = document;
        this.maxSeen = MAX_SEEN + values;
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
        long size = TreeSize.of(value);
        RequestMemory.current().charge(DERIVED * size);
        copied += size;
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
            if (at < 0 || !mayShift(list, at)) {
                return false;
            }
            list.insert(at, value);
            return true;
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
                int at = Pointer.index(path.last(), list.size());
                if (!mayShift(list, at)) {
                    return Optional.empty();
                }
                list.remove(at);
            } else {
                ((ObjectNode) holder).remove(path.last());
            }
        }
        return taken;
    }

    /** Whether elements behind a place may be shifted: that is fast, and adds up nevertheless. */
    private boolean mayShift(ArrayNode list, int at) {
        seen += (list.size() - at) / SHIFTED_AT_ONCE;
        return seen <= maxSeen;
    }

    /** Also true once all operations together have looked at too much: each looks at all that it places. */
    private boolean tooDeep(Pointer path, JsonNode value) {
        return path.depth() + depth(value) > MAX_DEPTH || seen > maxSeen;
    }

    /** How many values lie within each other; what came from a body or passed {@link #tooDeep} is never deep. */
    private int depth(JsonNode value) {
        int deepest = 0;
        for (JsonNode child : value) {
            if (++seen > maxSeen) {
                break;
            }
            deepest = Math.max(deepest, depth(child));
        }
        return value.isContainerNode() ? deepest + 1 : 0;
    }
}
