package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Immutable sorted map from keys to entries with order statistics: get, put, remove, rank and the start of a page cost O(log n). A change
 * copies one path and shares the rest with the previous tree, so that every revision can be retained as a root.
 *
 * <p>Weight-balanced with the parameters (3, 2) of Hirai and Yamamoto, "Balancing weight-balanced trees" (2011): the sizes that paging
 * needs also serve for balancing.
 */
public final class Tree {
    public static final Tree EMPTY = new Tree(null, 0);

    private static final int DELTA = 3;
    private static final int GAMMA = 2;

    private final @Nullable Node root;
    private final long weight;

    private Tree(@Nullable Node root, long weight) {
        this.root = root;
        this.weight = weight;
    }

    private static final class Node {
        final Entry entry;
        final @Nullable Node left;
        final @Nullable Node right;
        final int size;

        Node(Entry entry, @Nullable Node left, @Nullable Node right) {
            this.entry = entry;
            this.left = left;
            this.right = right;
            this.size = size(left) + size(right) + 1;
        }

        String path() {
            return entry.key().path();
        }
    }

    /** Returns a tree of entries with distinct keys, in any order. */
    public static Tree of(Collection<Entry> entries) {
        List<Entry> sorted = new ArrayList<>(entries);
        sorted.sort(Comparator.comparing(Entry::key));
        return new Tree(
                of(sorted, 0, sorted.size()),
                sorted.stream().mapToLong(Entry::weight).sum());
    }

    private static @Nullable Node of(List<Entry> sorted, int from, int until) {
        if (from == until) {
            return null;
        }
        int middle = (from + until) >>> 1;
        return new Node(sorted.get(middle), of(sorted, from, middle), of(sorted, middle + 1, until));
    }

    public int size() {
        return size(root);
    }

    /** Returns the entry of a key; null if there is none. */
    public @Nullable Entry get(Key key) {
        Node node = root;
        while (node != null) {
            int order = key.compareTo(node.entry.key());
            if (order == 0) {
                return node.entry;
            }
            node = order < 0 ? node.left : node.right;
        }
        return null;
    }

    /** Returns the approximate memory of the entries, in bytes. */
    public long weight() {
        return weight;
    }

    public Tree after(Event event) {
        return event.type() == Event.Type.DELETED ? remove(event.key()) : put(event.entry());
    }

    public Tree put(Entry entry) {
        Entry previous = get(entry.key());
        return new Tree(put(root, entry), weight + entry.weight() - (previous == null ? 0 : previous.weight()));
    }

    /** Returns the tree without a key; this tree if the key is absent. */
    public Tree remove(Key key) {
        Entry previous = get(key);
        return previous == null
                ? this
                : new Tree(remove(Objects.requireNonNull(root), key), weight - previous.weight());
    }

    /** Returns the number of keys before a path. */
    int rank(String path) {
        int before = 0;
        Node node = root;
        while (node != null) {
            if (Key.comparePaths(path, node.path()) <= 0) {
                node = node.left;
            } else {
                before += size(node.left) + 1;
                node = node.right;
            }
        }
        return before;
    }

    /** Returns the entries from rank {@code from} to rank {@code until}, exclusive, in order. */
    public List<Entry> slice(int from, int until) {
        var entries = new ArrayList<Entry>(Math.max(0, until - from));
        slice(root, from, until, entries);
        return entries;
    }

    private static void slice(@Nullable Node node, int from, int until, List<Entry> into) {
        if (node == null || from >= until || until <= 0 || from >= node.size) {
            return;
        }
        int own = size(node.left);
        slice(node.left, from, Math.min(until, own), into);
        if (from <= own && own < until) {
            into.add(node.entry);
        }
        slice(node.right, Math.max(0, from - own - 1), until - own - 1, into);
    }

    private static Node put(@Nullable Node node, Entry entry) {
        if (node == null) {
            return new Node(entry, null, null);
        }
        int order = entry.key().compareTo(node.entry.key());
        if (order == 0) {
            return new Node(entry, node.left, node.right);
        }
        return order < 0
                ? balanced(node.entry, put(node.left, entry), node.right)
                : balanced(node.entry, node.left, put(node.right, entry));
    }

    private static @Nullable Node remove(Node node, Key key) {
        int order = key.compareTo(node.entry.key());
        if (order < 0) {
            return balanced(node.entry, remove(Objects.requireNonNull(node.left), key), node.right);
        }
        if (order > 0) {
            return balanced(node.entry, node.left, remove(Objects.requireNonNull(node.right), key));
        }
        if (node.left == null || node.right == null) {
            return node.left == null ? node.right : node.left;
        }
        Node next = node.right;
        while (next.left != null) {
            next = next.left;
        }
        return balanced(next.entry, node.left, remove(node.right, next.entry.key()));
    }

    /** Returns a balanced node; its subtrees were balanced before one of them gained or lost one entry. */
    private static Node balanced(Entry entry, @Nullable Node left, @Nullable Node right) {
        if (right != null && weight(right) > DELTA * weight(left)) {
            return weight(right.left) < GAMMA * weight(right.right)
                    ? new Node(right.entry, new Node(entry, left, right.left), right.right)
                    : raisedLeft(entry, left, right);
        }
        if (left != null && weight(left) > DELTA * weight(right)) {
            return weight(left.right) < GAMMA * weight(left.left)
                    ? new Node(left.entry, left.left, new Node(entry, left.right, right))
                    : raisedRight(entry, left, right);
        }
        return new Node(entry, left, right);
    }

    private static Node raisedLeft(Entry entry, @Nullable Node left, Node right) {
        Node middle = Objects.requireNonNull(right.left);
        return new Node(
                middle.entry, new Node(entry, left, middle.left), new Node(right.entry, middle.right, right.right));
    }

    private static Node raisedRight(Entry entry, Node left, @Nullable Node right) {
        Node middle = Objects.requireNonNull(left.right);
        return new Node(
                middle.entry, new Node(left.entry, left.left, middle.left), new Node(entry, middle.right, right));
    }

    private static int size(@Nullable Node node) {
        return node == null ? 0 : node.size;
    }

    private static int weight(@Nullable Node node) {
        return size(node) + 1;
    }

    /** Returns whether order, sizes and balance are correct; for tests. */
    boolean isValid() {
        return isValid(root, "", null);
    }

    private static boolean isValid(@Nullable Node node, String after, @Nullable String before) {
        return node == null
                || (Key.comparePaths(after, node.path()) < 0
                        && (before == null || Key.comparePaths(node.path(), before) < 0)
                        && node.size == size(node.left) + size(node.right) + 1
                        && weight(node.left) <= DELTA * weight(node.right)
                        && weight(node.right) <= DELTA * weight(node.left)
                        && isValid(node.left, after, node.path())
                        && isValid(node.right, node.path(), before));
    }
}
