package io.plat.apiserver.roles;

import io.plat.apiserver.storage.DelegatingStore;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Watch;

/** A store as one follower reads it: its watches tell how far they have been read. Nobody else's watches may be made here. */
final class ReadStore extends DelegatingStore {
    private final Progress progress;

    ReadStore(ObjectStore store, Progress progress) {
        super(store);
        this.progress = progress;
    }

    @Override
    public Watch watch(KeyRange range, long after, Runnable ready) {
        progress.read(range.resource(), after);
        Watch watch = super.watch(range, after, ready);
        return new Watch() {
            @Override
            public Batch poll(int limit) {
                Batch batch = watch.poll(limit);
                if (batch instanceof Batch.Events events) {
                    progress.read(range.resource(), events.position());
                }
                return batch;
            }

            @Override
            public void close() {
                watch.close();
            }
        };
    }
}
