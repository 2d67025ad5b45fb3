package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.type.AllTypes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Follows the objects of all stored types: one watch per type, read by one thread. Types change, and most are quiet, so only watches with
 * pending events are polled.
 */
final class ObjectTracker implements AutoCloseable {
    private static final int PORTION = 1000;

    /** Delay between a write becoming visible and its notification: microseconds. */
    private static final long UNTIL_ANNOUNCED_NANOS = 50_000;

    private final ObjectStore store;
    private final AllTypes types;
    private final Runnable ready;
    private final Map<String, TypeWatch> followed = new LinkedHashMap<>();
    private @Nullable Object known;

    private static final class TypeWatch implements AutoCloseable {
        private final Watch watch;
        private volatile boolean signalled = true;
        private long position;

        TypeWatch(ObjectStore store, String resource, long revision, Runnable ready) {
            this.position = revision;
            this.watch = store.watch(KeyRange.of(resource), revision, () -> {
                signalled = true;
                ready.run();
            });
        }

        @Override
        public void close() {
            watch.close();
        }
    }

    /** @param ready called when there are events to read */
    ObjectTracker(ObjectStore store, AllTypes types, Runnable ready) {
        this.store = store;
        this.types = types;
        this.ready = ready;
    }

    Snapshot latest() throws StorageException {
        return store.latest();
    }

    /** Loads all objects into an empty graph, and follows them from then on. */
    void begin(Graph graph) throws StorageException {
        close();
        updateTypes(graph);
    }

    /** Starts following new types, and stops following removed ones. */
    private void updateTypes(Graph graph) throws StorageException {
        // Another instance after each change.
        Object state = types.dynamicTypes().now();
        if (state == known) {
            return;
        }
        Set<String> now = types.stored().keySet();
        followed.entrySet().removeIf(each -> {
            boolean gone = !now.contains(each.getKey());
            if (gone) {
                each.getValue().close();
            }
            return gone;
        });
        Snapshot snapshot = store.latest();
        List<String> added =
                now.stream().filter(resource -> !followed.containsKey(resource)).toList();
        for (String resource : added) {
            followed.put(resource, new TypeWatch(store, resource, snapshot.revision(), ready));
        }
        for (String resource : added) {
            for (Entry entry : snapshot.page(KeyRange.of(resource), "", 0).entries()) {
                graph.observed(GraphNode.read(entry));
            }
        }
        known = state;
    }

    /**
     * Applies changes to a graph.
     *
     * @param revision a revision already written, up to which all changes are applied, possibly more
     * @return whether no change was missed; otherwise {@link #begin} again
     */
    boolean follow(Graph graph, long revision) throws StorageException {
        updateTypes(graph);
        for (TypeWatch one : followed.values()) {
            while (one.signalled || one.position < revision) {
                one.signalled = false;
                switch (one.watch.poll(PORTION)) {
                    case Watch.Batch.Gone gone -> {
                        return false;
                    }
                    case Watch.Batch.Events events -> {
                        events.events().forEach(event -> apply(event, graph));
                        one.position = events.position();
                        if (!events.events().isEmpty()) {
                            one.signalled = true;
                        } else if (one.position < revision) {
                            LockSupport.parkNanos(UNTIL_ANNOUNCED_NANOS);
                        }
                    }
                }
            }
        }
        return true;
    }

    private static void apply(Event event, Graph graph) {
        GraphNode object = GraphNode.read(event.entry());
        if (event.type() == Event.Type.DELETED) {
            graph.deleted(object);
        } else {
            graph.observed(object);
        }
    }

    @Override
    public void close() {
        followed.values().forEach(TypeWatch::close);
        followed.clear();
        known = null;
    }
}
