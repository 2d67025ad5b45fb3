package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Follows the objects of all stored types: one watch a type, read by one thread. */
final class StoredObjects implements AutoCloseable {
    private static final int PORTION = 1000;

    /** Between a write's being visible and its being announced lie microseconds. */
    private static final long UNTIL_ANNOUNCED_NANOS = 50_000;

    private final ObjectStore store;
    private final List<String> resources;
    private final Runnable ready;
    private final List<Watch> watches = new ArrayList<>();
    private long[] positions = {};

    /**
     * Objects to follow.
     *
     * @param ready called when there is something to read
     */
    StoredObjects(ObjectStore store, List<String> resources, Runnable ready) {
        this.store = store;
        this.resources = List.copyOf(resources);
        this.ready = ready;
    }

    Snapshot latest() throws StorageException {
        return store.latest();
    }

    /** Shows every object that there is to a graph that knows none, and follows them from then on. */
    void begin(Graph graph) throws StorageException {
        close();
        Snapshot snapshot = store.latest();
        for (String resource : resources) {
            watches.add(store.watch(KeyRange.of(resource), snapshot.revision(), ready));
        }
        positions = new long[watches.size()];
        Arrays.fill(positions, snapshot.revision());
        for (String resource : resources) {
            for (Entry entry : snapshot.page(KeyRange.of(resource), "", 0).entries()) {
                graph.seen(Ownership.read(entry));
            }
        }
    }

    /**
     * Shows what has changed to a graph.
     *
     * @param revision every change up to this one, which has been made; further ones too, as far as they are there
     * @return whether nothing was missed; otherwise one has to {@link #begin} again
     */
    boolean follow(Graph graph, long revision) {
        for (int i = 0; i < positions.length; i++) {
            while (true) {
                switch (watches.get(i).poll(PORTION)) {
                    case Watch.Batch.Gone gone -> {
                        return false;
                    }
                    case Watch.Batch.Events events -> {
                        events.events().forEach(event -> show(event, graph));
                        positions[i] = events.position();
                        if (!events.events().isEmpty()) {
                            continue;
                        }
                    }
                }
                if (positions[i] >= revision) {
                    break;
                }
                LockSupport.parkNanos(UNTIL_ANNOUNCED_NANOS);
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
        watches.forEach(Watch::close);
        watches.clear();
    }
}
