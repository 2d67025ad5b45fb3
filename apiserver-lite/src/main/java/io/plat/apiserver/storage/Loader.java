package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes the state of a store from its log: the objects, and the history as far as it was kept. */
final class Loader {
    private final SortedMap<Long, Tree> trees = new TreeMap<>();
    private final List<Change> changes = new ArrayList<>();
    private final List<Long> obsolete = new ArrayList<>();
    private final List<Long> deletions = new ArrayList<>();
    private final Map<Key, Entry> present = new HashMap<>();
    private final ForeignEntries foreign;
    private Tree tree = Tree.EMPTY;
    private long floor;
    private long revision;
    private long lastTime;

    /** Loads everything. */
    Loader() {
        this(new ForeignEntries(entry -> false));
    }

    /** Loads everything but for some entries, of whose keys the history holds nothing either. */
    Loader(ForeignEntries foreign) {
        this.foreign = foreign;
    }

    /** Reads the log, once. */
    void load(ChangeSource log) throws StorageException {
        var all = new ArrayList<Change>();
        floor = log.read((time, entry, deleted) -> {
            Change change = replay(time, entry, deleted);
            if (change != null) {
                all.add(change);
            }
        });
        revision = Math.max(revision, floor);
        for (long unexplained : deletions) {
            if (unexplained > floor) {
                throw damaged(unexplained);
            }
        }
        obsolete.addAll(deletions);
        for (Change change : all) {
            if (change.revision() > floor) {
                changes.add(change);
            }
        }
        checkGapless();
        leaveOut(all);
        rebuild(all);
    }

    /** Null for a deletion of what is gone from the log already: compaction removes a state before the note of its deletion. */
    private @Nullable Change replay(long time, Entry entry, boolean deleted) throws StorageException {
        Entry previous = present.get(entry.key());
        if (entry.revision() <= revision) {
            throw damaged(entry.revision());
        }
        revision = entry.revision();
        lastTime = Math.max(lastTime, time);
        if (deleted && previous == null) {
            deletions.add(revision);
            return null;
        }
        if (deleted) {
            present.remove(entry.key());
        } else {
            present.put(entry.key(), entry);
        }
        return new Change(
                deleted && previous != null ? Event.deletion(previous, revision) : Event.of(previous, entry), lastTime);
    }

    private static StorageException damaged(long revision) {
        return new StorageException(StorageException.Kind.CORRUPT, "the log is damaged at revision " + revision);
    }

    /** Behind the floor every revision is a change that is kept, so that a missing one shows. */
    private void checkGapless() throws StorageException {
        long expected = floor;
        for (Change change : changes) {
            expected++;
            if (change.revision() != expected) {
                throw new StorageException(
                        StorageException.Kind.CORRUPT, "the log is damaged: revision " + expected + " is missing");
            }
        }
    }

    /** What is foreign now is shown at no revision; its rows are neither explained nor obsolete. */
    private void leaveOut(List<Change> all) {
        present.values().forEach(foreign::note);
        all.removeIf(change -> foreign.contains(change.event().key()));
        changes.removeIf(change -> foreign.contains(change.event().key()));
    }

    /** The trees of the history: what the floor had, and from there on change by change. */
    private void rebuild(List<Change> all) {
        present.clear();
        for (Change change : all.subList(0, all.size() - changes.size())) {
            atFloor(change.event());
        }
        tree = Tree.of(present.values());
        present.clear();
        for (Change change : changes) {
            Event event = change.event();
            tree = event.type() == Event.Type.DELETED ? tree.remove(event.key()) : tree.put(event.entry());
            if (change.revision() % LoggedStore.MAX_BATCH == 0) {
                trees.put(change.revision(), tree);
            }
        }
        trees.put(revision, tree);
    }

    private void atFloor(Event event) {
        Entry previous = event.previous();
        if (previous != null) {
            obsolete.add(previous.revision());
        }
        if (event.type() == Event.Type.DELETED) {
            obsolete.add(event.revision());
            present.remove(event.key());
        } else {
            present.put(event.key(), event.entry());
        }
    }

    /** What a memory begins with. */
    VersionedMemory.Loaded loaded() {
        return new VersionedMemory.Loaded(floor, changes, trees, revision);
    }

    List<Long> obsolete() {
        return obsolete;
    }

    Tree tree() {
        return tree;
    }

    long revision() {
        return revision;
    }

    long lastTime() {
        return lastTime;
    }
}
