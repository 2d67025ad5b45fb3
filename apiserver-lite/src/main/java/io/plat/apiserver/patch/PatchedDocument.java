package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Optional;

/**
 * Document to which the operations of a JSON patch are applied. A small patch must not create a large document: the total size of copies
 * is bounded, and so is the depth, since later traversals are recursive.
 *
 * <p>No library is used: those for Java bound neither copies nor depth nor the time of moves, and do not support negative indices.
 */
final class PatchedDocument {
    /** Maximum total memory of copies, in bytes: that of the largest body. */
    static final int MAX_COPIED = 3 << 20;

    /** Number of additional copies of an added value, as for sent values. */
    private static final int DERIVED = 3;

    static final int MAX_DEPTH = 128;

    /**
     * Maximum number of values that all moves together visit, in addition to those of the patch itself, whose size is bounded by its
     * body.
     */
    private static final int MAX_SEEN = 300_000;

    /** Number of list elements that can be shifted in the time of visiting one value. */
    private static final int SHIFTED_AT_ONCE = 64;

    private JsonNode root;
    private long copied;
    private final int maxSeen;
    private int seen;

    /** @param values number of values in the patch */
    PatchedDocument(JsonNode root, int values) {
        this.root = root;
        this.maxSeen = MAX_SEEN + values;
    }

    JsonNode root() {
        return root;
    }

    boolean add(Pointer path, JsonNode value) {
        return set(path, value, true);
    }

    boolean replace(Pointer path, JsonNode value) {
        return set(path, value, false);
    }

    /** Removes a value; returns false if absent. */
    boolean remove(Pointer path) {
        return take(path).isPresent();
    }

    boolean move(Pointer from, Pointer path) {
        return take(from).filter(value -> add(path, value)).isPresent();
    }

    boolean copy(Pointer from, Pointer path) {
        // An absent member is copied as null, as in kube-apiserver.
        return value(from)
                .or(() -> from.parent(root).filter(JsonNode::isObject).map(parent -> NullNode.getInstance()))
                .filter(value -> mayCopy(value) && add(path, value.deepCopy()))
                .isPresent();
    }

    /** Returns whether a value equals the expected one; null also matches an absent value. */
    boolean test(Pointer path, JsonNode expected) {
        return value(path)
                .map(expected::equals)
                .orElseGet(() -> expected.isNull() && path.parent(root).isPresent());
    }

    private Optional<JsonNode> value(Pointer path) {
        if (path.whole()) {
            return Optional.of(root);
        }
        return path.parent(root)
                .map(parent -> Pointer.child(parent, path.last()))
                .filter(value -> !value.isMissingNode());
    }

    private boolean mayCopy(JsonNode value) {
        long size = TreeSize.of(value);
        RequestMemory.current().charge(DERIVED * size);
        copied += size;
        return copied <= MAX_COPIED;
    }

    private boolean set(Pointer path, JsonNode value, boolean inserted) {
        if (path.whole()) {
            root = value;
            return Pointer.holds(value);
        }
        Optional<JsonNode> parent = path.parent(root);
        if (parent.isEmpty() || path.depth() + depth(value) > MAX_DEPTH || seen > maxSeen) {
            return false;
        }
        if (!(parent.get() instanceof ArrayNode list)) {
            ((ObjectNode) parent.get()).set(path.last(), value);
            return true;
        }
        if (!inserted) {
            int at = Pointer.index(path.last(), list.size());
            if (at >= 0) {
                list.set(at, value);
            }
            return at >= 0;
        }
        int at = path.last().equals("-") ? list.size() : Pointer.index(path.last(), list.size() + 1);
        if (at < 0 || !mayShift(list, at)) {
            return false;
        }
        list.insert(at, value);
        return true;
    }

    /** Removes a value; empty if absent, and for the whole document, which must remain. */
    private Optional<JsonNode> take(Pointer path) {
        if (path.whole()) {
            return Optional.empty();
        }
        Optional<JsonNode> value = value(path);
        if (value.isPresent()) {
            JsonNode parent = path.parent(root).orElseThrow();
            if (parent instanceof ArrayNode list) {
                int at = Pointer.index(path.last(), list.size());
                if (!mayShift(list, at)) {
                    return Optional.empty();
                }
                list.remove(at);
            } else {
                ((ObjectNode) parent).remove(path.last());
            }
        }
        return value;
    }

    /** Returns whether list elements may be shifted: that is fast, but adds up. */
    private boolean mayShift(ArrayNode list, int at) {
        seen += (list.size() - at) / SHIFTED_AT_ONCE;
        return seen <= maxSeen;
    }

    /** Returns the depth of a value, which is bounded by parsing or by {@link #MAX_DEPTH}. */
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
