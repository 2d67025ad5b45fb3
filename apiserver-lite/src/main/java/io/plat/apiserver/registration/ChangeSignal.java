package io.plat.apiserver.registration;

import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import org.jspecify.annotations.Nullable;

/** Signal for changes of a range, for work that examines all its objects anyway. */
final class ChangeSignal implements AutoCloseable {
    private static final int PORTION = 500;

    private final ObjectStore store;
    private final KeyRange range;
    private final Runnable signal;
    private @Nullable Watch watch;
    private boolean closed;

    /**
     * Creates a signal, inactive until {@link #passed} is called.
     *
     * @param signal called from any thread; must return immediately and not throw
     */
    ChangeSignal(ObjectStore store, KeyRange range, Runnable signal) {
        this.store = store;
        this.range = range;
        this.signal = signal;
    }

    /** Signals all later changes: to be called before the objects are read. */
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
