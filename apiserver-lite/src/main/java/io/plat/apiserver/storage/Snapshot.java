package io.plat.apiserver.storage;

import java.util.Optional;

/** All objects at one revision. Immutable and thread-safe. */
public record Snapshot(long revision, Tree tree) {
    public Optional<Entry> get(Key key) {
        return Optional.ofNullable(tree.get(key));
    }

    /**
     * Returns the object of a name that a client has chosen; empty also if no object can have such a name.
     *
     * @param namespace namespace, or {@code ""} for a cluster-scoped object
     */
    public Optional<Entry> find(String resource, String namespace, String name) {
        boolean possible = (namespace.isEmpty() || Key.isPart(namespace)) && Key.isPart(name);
        return possible ? get(new Key(resource, namespace, name)) : Optional.empty();
    }

    /**
     * Returns a page of a range, in order of keys.
     *
     * @param after path after which to start; {@code ""} for the beginning. Need not be that of an existing key
     * @param limit maximum number of objects; 0 for all
     */
    public Page page(KeyRange range, String after, int limit) {
        int from = tree.rank(range.from());
        int until = tree.rank(range.until());
        if (!after.isEmpty()) {
            from = Math.max(from, tree.rank(after + '\0'));
        }
        int end = limit <= 0 ? until : (int) Math.min(until, (long) from + limit);
        return new Page(tree.slice(from, end), Math.max(0, until - end));
    }

    public long count(KeyRange range) {
        return (long) tree.rank(range.until()) - tree.rank(range.from());
    }
}
