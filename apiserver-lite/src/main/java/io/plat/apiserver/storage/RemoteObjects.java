package io.plat.apiserver.storage;

import io.plat.apiserver.storage.remote.FeedListener.Changed;
import io.plat.apiserver.storage.remote.RemoteKeys;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the keys and values of other processes mean here: objects, and the store's own notes. Used by one thread at a time. */
final class RemoteObjects {
    /** In front of what is no object; no resource is called that. */
    static final String NOTES = "~/";

    private static final Logger LOG = LoggerFactory.getLogger(RemoteObjects.class);

    private final InstantSource clock;
    private final ForeignEntries foreign;
    private long lastTime;

    RemoteObjects(StoreOptions options) {
        this.clock = options.clock();
        this.foreign = options.foreign();
    }

    /** Where an object is there. */
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
            Key key = key(value.key());
            if (key != null && value.bytes().length > 0) {
                Entry entry = new Entry(key, value.bytes(), value.revision());
                if (!foreign.note(entry)) {
                    entries.add(entry);
                }
            }
        }
        return Tree.of(entries);
    }

    /** Makes changes visible, in order; those that are already are passed over. */
    void apply(List<Changed> changes, VersionedMemory memory) {
        State state = memory.state();
        Tree tree = state.tree();
        long weight = state.weight();
        long revision = state.revision();
        var events = new ArrayList<Change>();
        lastTime = Math.max(lastTime, clock.millis());
        for (Changed changed : changes) {
            if (changed.revision() <= state.revision()) {
                continue;
            }
            revision = changed.revision();
            Key key = key(changed.key());
            Entry previous = key == null ? null : tree.get(key);
            Entry entry = key == null ? null : entry(key, changed.bytes(), revision);
            if (entry != null) {
                tree = tree.put(entry);
                weight += entry.weight();
                events.add(new Change(Event.of(previous, entry), lastTime));
            } else if (previous != null) {
                tree = tree.remove(previous.key());
                events.add(new Change(Event.deletion(previous, revision), lastTime));
            }
            weight -= previous == null ? 0 : previous.weight();
        }
        if (revision > state.revision()) {
            memory.publish(events, revision, tree, weight);
        }
    }

    /** Null for what is deleted, and for what is foreign: to who saw a state before, it is gone. */
    private @Nullable Entry entry(Key key, byte @Nullable [] bytes, long revision) {
        if (bytes == null || bytes.length == 0) {
            foreign.gone(key);
            return null;
        }
        Entry entry = new Entry(key, bytes, revision);
        return foreign.note(entry) ? null : entry;
    }

    /** Null for a note, and for what somebody else has put there. */
    static @Nullable Key key(String key) {
        if (key.startsWith(NOTES)) {
            return null;
        }
        try {
            return Key.parse(key);
        } catch (IllegalArgumentException foreign) {
            LOG.warn("a key is passed over that names no object: \"{}\"", key.replaceAll("\\p{Cntrl}", "?"));
            return null;
        }
    }
}
