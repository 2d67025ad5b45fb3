package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Follows the objects of all stored types: one watch a type, read by one thread. Types come and go, and most of many are quiet, so
 * that only watches that have something to read are asked for it.
 */
final class StoredObjects implements AutoCloseable {
    private static final int PORTION = 1000;

    /** Between a write's being visible and its being announced lie microseconds. */
    private static final long UNTIL_ANNOUNCED_NANOS = 50_000;

    private final ObjectStore store;
    private final Supplier<List<String>> resources;
    private final Runnable ready;
    private final Map<String, Followed> followed = new LinkedHashMap<>();
    private Object known = List.of();

    /** A type that is followed. */
    private static final class Followed implements AutoCloseable {
        private final Watch watch;
        private volatile boolean signalled = true;
        private long position;

        Followed(ObjectStore store, String resource, long revision, Runnable ready) {
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

    /**
     * Objects to follow.
     *
     * @param resources what they are stored under, asked each time
     * @param ready called when there is something to read
     */
    StoredObjects(ObjectStore store, Supplier<List<String>> resources, Runnable ready) {
        this.store = store;
        this.resources = resources;
        this.ready = ready;
    }

    Snapshot latest() throws StorageException {
        return store.latest();
    }

    /** Shows every object that there is to a graph that knows none, and follows them from then on. */
    void begin(Graph graph) throws StorageException {
        close();
        attend(graph);
    }

    /** Begins to follow the types that have come since, and ends with those that have gone. */
    private void attend(Graph graph) throws StorageException {
        List<String> now = resources.get();
        // The same list for as long as the types are the same; there may be very many of them.
        Object state = now;
        if (state == known) {
            return;
        }
        followed.entrySet().removeIf(each -> {
            boolean gone = !now.contains(each.getKey());
            if (gone) {
                each.getValue().close();
            }
            return gone;
        });
        Snapshot snapshot = store.latest();
        List<String> come =
                now.stream().filter(resource -> !followed.containsKey(resource)).toList();
        for (String resource : come) {
            followed.put(resource, new Followed(store, resource, snapshot.revision(), ready));
        }
        for (String resource : come) {
            for (Entry entry : snapshot.page(KeyRange.of(resource), "", 0).entries()) {
                graph.seen(Ownership.read(entry));
            }
        }
        known = now;
    }

    /**
     * Shows what has changed to a graph.
     *
     * @param revision every change up to this one, which has been made; further ones too, as far as they are there
     * @return whether nothing was missed; otherwise one has to {@link #begin} again
     */
    boolean follow(Graph graph, long revision) throws StorageException {
        attend(graph);
        for (Followed one : followed.values()) {
            while (one.signalled || one.position < revision) {
                one.signalled = false;
                switch (one.watch.poll(PORTION)) {
                    case Watch.Batch.Gone gone -> {
                        return false;
                    }
                    case Watch.Batch.Events events -> {
                        events.events().forEach(event -> show(event, graph));
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

    private static void show(Event event, Graph graph) {
        Ownership object = Ownership.read(event.entry());
        if (event.type() == Event.Type.DELETED) {
            graph.gone(object);
        } else {
            graph.seen(object);
        }
    }

    @Override
    public void close() {
        followed.values().forEach(Followed::close);
        followed.clear();
        known = List.of();
    }
}
