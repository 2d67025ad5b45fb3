package io.plat.apiserver.patch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.util.Optional;

/**
 * A document while the operations of a JSON patch are applied to it. Small patches must not make large documents: what copies add is
 * bounded in all, and so is the depth, because whoever reads the document afterwards goes down into it.
 *
 * <p>The operations are not a library's: those for Java bound neither copies nor depth nor the time that moves take, and know no
 * negative index.
 */
final class PatchedDocument {
    /** The most bytes of memory that all copies together may add: as much as a body of text takes. */
    static final int MAX_COPIED = 3 << 20;

    /** The copies of a value that is added, as of one that was sent. */
    private static final int DERIVED = 3;

    /** No value lies deeper. */
    static final int MAX_DEPTH = 128;

    /** The most values that all moves together look at, beside those of the patch itself, which is as large as its body. */
    private static final int MAX_SEEN = 300_000;

    /** So many elements of a list are shifted in the time in which one value is looked at. */
    private static final int SHIFTED_AT_ONCE = 64;

    private JsonNode root;
    private long copied;
    private final int maxSeen;
    private int seen;

    /**
     * Of one patch.
     *
     * @param values the number of values that the patch holds
     */
    PatchedDocument(JsonNode root, int values) {
        this.root = root;
        this.maxSeen = MAX_SEEN + values;
    }

    JsonNode root() {
        return root;
    }

    /** Puts a value where none is, or before the one in a list. */
    boolean add(Pointer path, JsonNode value) {
        return place(path, value, true);
    }

    /** Puts a value in the place of another. */
    boolean replace(Pointer path, JsonNode value) {
        return place(path, value, false);
    }

    /** Removes a value; false where there was none. */
    boolean remove(Pointer path) {
        return take(path).isPresent();
    }

    /** Moves a value from one place to another. */
    boolean move(Pointer from, Pointer path) {
        return take(from).filter(value -> add(path, value)).isPresent();
    }

    /** Puts a value into a further place. */
    boolean copy(Pointer from, Pointer path) {
        return copied(from)
                .filter(value -> mayCopy(value) && add(path, value.deepCopy()))
                .isPresent();
    }

    /** Whether a value is the expected one; null is also what is not there. */
    boolean test(Pointer path, JsonNode expected) {
        return value(path)
                .map(expected::equals)
                .orElseGet(() -> expected.isNull() && path.holder(root).isPresent());
    }

    /** The value to copy: as in kube-apiserver, a member that an object does not have is null. */
    private Optional<JsonNode> copied(Pointer from) {
        return value(from).or(() -> from.holder(root).filter(JsonNode::isObject).map(holder -> NullNode.getInstance()));
    }

    private Optional<JsonNode> value(Pointer path) {
        if (path.whole()) {
            return Optional.of(root);
        }
        return path.holder(root)
                .map(holder -> Pointer.child(holder, path.last()))
                .filter(value -> !value.isMissingNode());
    }

    private boolean mayCopy(JsonNode value) {
        long size = TreeSize.of(value);
        RequestMemory.current().charge(DERIVED * size);
        copied += size;
        return copied <= MAX_COPIED;
    }

    private boolean place(Pointer path, JsonNode value, boolean inserted) {
        if (path.whole()) {
            root = value;
            return Pointer.holds(value);
        }
        Optional<JsonNode> holder = path.holder(root);
        if (holder.isEmpty() || tooDeep(path, value)) {
            return false;
        }
        if (!(holder.get() instanceof ArrayNode list)) {
            ((ObjectNode) holder.get()).set(path.last(), value);
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

    /** Takes a value out; empty where there was none, and for the whole document, without which there is nothing to patch. */
    private Optional<JsonNode> take(Pointer path) {
        if (path.whole()) {
            return Optional.empty();
        }
        Optional<JsonNode> taken = value(path);
        if (taken.isPresent()) {
            JsonNode holder = path.holder(root).orElseThrow();
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

    /** The number of values that lie within each other; what came from a body or passed {@link #tooDeep} is never deep. */
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
