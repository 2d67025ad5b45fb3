package io.plat.apiserver.storage;

import java.util.Optional;

/**
 * Snapshot in memory.
 *
 * @param tree objects
 */
record TreeSnapshot(long revision, Tree tree) implements Snapshot {
    @Override
    public Optional<Entry> get(Key key) {
        return Optional.ofNullable(tree.get(key));
    }

    @Override
    public Page page(KeyRange range, String after, int limit) {
        int from = tree.rank(range.from());
        int until = tree.rank(range.until());
        if (!after.isEmpty()) {
            from = Math.max(from, tree.rank(after + '\0'));
        }
        int end = limit <= 0 ? until : (int) Math.min(until, (long) from + limit);
        return new Page(tree.slice(from, end), Math.max(0, until - end));
    }

    @Override
    public long count(KeyRange range) {
        return (long) tree.rank(range.until()) - tree.rank(range.from());
    }
}
