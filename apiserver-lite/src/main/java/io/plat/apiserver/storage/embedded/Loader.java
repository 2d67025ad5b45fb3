package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.History;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Tree;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Restores the state of a store from its log: the objects, and the retained history. */
final class Loader {
    private final List<LoggedEvent> changes = new ArrayList<>();
    private final List<Entry> obsolete = new ArrayList<>();
    private final Map<Key, Entry> present = new HashMap<>();
    private final ForeignEntries foreign;
    private Tree atFloor = Tree.EMPTY;
    private long floor;
    private long revision;
    private long lastTime;

    private record LoggedEvent(Event event, long time) {}

    Loader() {
        this(new ForeignEntries(entry -> false));
    }

    /** Loads everything except foreign entries, which are removed from history as well. */
    Loader(ForeignEntries foreign) {
        this.foreign = foreign;
    }

    /** Reads the log, once. */
    void load(ChangeSource log) throws StorageException {
        log.read(begin -> {
            floor = begin;
            return this::replay;
        });
        revision = Math.max(revision, floor);
        if (changes.isEmpty()) {
            atFloor = Tree.of(present.values());
        }
        removeForeign();
    }

    /** Replays an entry. A deletion may have no preceding state: compaction removes the state before the record of its deletion. */
    private void replay(long time, Entry entry, boolean deleted) throws StorageException {
        Entry previous = present.get(entry.key());
        if (entry.revision() <= revision || (deleted && previous == null && entry.revision() > floor)) {
            throw damaged(" at revision " + entry.revision());
        }
        boolean history = entry.revision() > floor;
        if (history && changes.isEmpty()) {
            revision = floor;
            atFloor = Tree.of(present.values());
        }
        // After the floor every revision is a retained change, so that gaps are detected.
        if (history && entry.revision() != revision + 1) {
            throw damaged(": revision " + (revision + 1) + " is missing");
        }
        revision = entry.revision();
        lastTime = Math.max(lastTime, time);
        if (history) {
            changes.add(new LoggedEvent(
                    deleted && previous != null ? Event.deletion(previous, revision) : Event.of(previous, entry),
                    lastTime));
        } else {
            if (previous != null) {
                obsolete.add(previous);
            }
            if (deleted) {
                obsolete.add(entry);
            }
        }
        if (deleted) {
            present.remove(entry.key());
        } else {
            present.put(entry.key(), entry);
        }
    }

    private static StorageException damaged(String how) {
        return new StorageException(Kind.CORRUPT, "the log is damaged" + how);
    }

    /** Removes entries that are foreign now, at every revision; their rows are preserved. */
    private void removeForeign() {
        present.values().forEach(foreign::record);
        for (Key key : foreign.keys()) {
            atFloor = atFloor.remove(key);
        }
        changes.removeIf(change -> foreign.contains(change.event().key()));
        obsolete.removeIf(entry -> foreign.contains(entry.key()));
        present.keySet().removeIf(foreign::contains);
    }

    /** Returns the history to retain, which may be trimmed immediately. */
    History history(StoreOptions options, Consumer<Event> dropped) {
        var history = new History(options, floor, atFloor);
        Tree tree = atFloor;
        for (LoggedEvent change : changes) {
            tree = tree.after(change.event());
            history.append(new Change(change.event(), change.time(), tree));
            history.trim(dropped);
        }
        return history;
    }

    int changes() {
        return changes.size();
    }

    long floor() {
        return floor;
    }

    List<Long> obsolete() {
        return obsolete.stream().map(Entry::revision).toList();
    }

    Tree tree() {
        return Tree.of(present.values());
    }

    long revision() {
        return revision;
    }

    long lastTime() {
        return lastTime;
    }
}
