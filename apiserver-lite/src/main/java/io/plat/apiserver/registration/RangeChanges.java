package io.plat.apiserver.registration;

import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import org.jspecify.annotations.Nullable;

/** Signals that objects of a range have changed, for work that looks at all of them anyway. */
final class RangeChanges implements AutoCloseable {
    private static final int PORTION = 500;

    private final ObjectStore store;
    private final KeyRange range;
    private final Runnable signal;
    private @Nullable Watch watch;
    private boolean closed;

    /**
     * Changes of a range, of which none is signalled before {@link #passed} is called.
     *
     * @param signal called from any thread; must return at once and not throw
     */
    RangeChanges(ObjectStore store, KeyRange range, Runnable signal) {
        this.store = store;
        this.range = range;
        this.signal = signal;
    }

    /** Whatever comes after this is signalled: to be called before the objects are looked at. */
    synchronized void passed() throws StorageException {
        if (closed) {
            return;
        }
        if (watch == null) {
            watch = store.watch(range, store.latest().revision(), signal);
        }
        while (true) {
            switch (watch.poll(PORTION)) {
                case Watch.Batch.Gone gone -> {
                    watch.close();
                    watch = store.watch(range, store.latest().revision(), signal);
                }
                case Watch.Batch.Events events -> {
                    if (events.events().isEmpty()) {
                        return;
                    }
                }
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (watch != null) {
            watch.close();
        }
    }
}
