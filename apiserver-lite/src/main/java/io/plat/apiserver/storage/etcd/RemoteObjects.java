package io.plat.apiserver.storage.etcd;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.Tree;
import io.plat.apiserver.storage.VersionedMemory;
import io.plat.apiserver.storage.etcd.FeedListener.Changed;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates etcd's keys and values to objects and the store's own notes. Used by one thread at a time. */
final class RemoteObjects {
    /** Prefix of keys that are not objects; no resource has that name. */
    static final String NOTES = "~/";

    private static final Logger LOG = LoggerFactory.getLogger(RemoteObjects.class);

    private final InstantSource clock;
    private final ForeignEntries foreign;
    private long lastTime;

    RemoteObjects(StoreOptions options) {
        this.clock = options.clock();
        this.foreign = options.foreign();
    }

    static String key(Key key) {
        return key.path();
    }

    static @Nullable Entry entry(Key key, RemoteKeys.@Nullable Value value) {
        return value == null ? null : new Entry(key, value.bytes(), value.revision());
    }

    static Tree tree(List<RemoteKeys.Value> values, ForeignEntries foreign) {
        foreign.clear();
        var entries = new ArrayList<Entry>(values.size());
        for (RemoteKeys.Value value : values) {
            Entry entry = served(value, foreign);
            if (entry != null) {
                entries.add(entry);
            }
        }
        return Tree.of(entries);
    }

    /** Returns the object of a value; null for a note, a foreign value or an empty one. */
    static @Nullable Entry served(RemoteKeys.Value value, ForeignEntries foreign) {
        Key key = key(value.key());
        if (key == null || value.bytes().length == 0) {
            return null;
        }
        Entry entry = new Entry(key, value.bytes(), value.revision());
        return foreign.note(entry) ? null : entry;
    }

    /** Publishes changes in order; known ones are skipped. */
    void apply(List<Changed> received, VersionedMemory memory) {
        StoreState state = memory.state();
        Tree tree = state.tree();
        long revision = state.revision();
        var changes = new ArrayList<Change>();
        var events = new ArrayList<Event>();
        lastTime = Math.max(lastTime, clock.millis());
        for (Changed changed : received) {
            if (changed.revision() <= state.revision()) {
                continue;
            }
            if (changed.revision() > revision) {
                add(events, tree, changes);
                revision = changed.revision();
            }
            Event event = event(changed, tree);
            if (event != null) {
                events.add(event);
                tree = tree.after(event);
            }
        }
        add(events, tree, changes);
        if (revision > state.revision()) {
            memory.publish(changes, revision);
        }
    }

    private void add(List<Event> ofOneRevision, Tree tree, List<Change> changes) {
        if (!ofOneRevision.isEmpty()) {
            changes.add(new Change(ofOneRevision.getFirst().revision(), ofOneRevision, lastTime, tree));
            ofOneRevision.clear();
        }
    }

    /** Returns the event of a change; null if it was invisible before and after. An object that becomes foreign counts as deleted. */
    private @Nullable Event event(Changed changed, Tree tree) {
        Key key = key(changed.key());
        if (key == null) {
            return null;
        }
        Entry previous = tree.get(key);
        byte[] bytes = changed.bytes();
        if (bytes == null || bytes.length == 0) {
            foreign.removed(key);
        } else {
            Entry entry = new Entry(key, bytes, changed.revision());
            if (!foreign.note(entry)) {
                return Event.of(previous, entry);
            }
        }
        return previous == null ? null : Event.deletion(previous, changed.revision());
    }

    /** Returns the key of an object; null for a note, and for foreign keys. */
    static @Nullable Key key(String key) {
        if (key.startsWith(NOTES)) {
            return null;
        }
        try {
            return Key.parse(key);
        } catch (IllegalArgumentException foreign) {
            LOG.warn("a key that names no object was skipped: key={}", key.replaceAll("\\p{Cntrl}", "?"));
            return null;
        }
    }
}
