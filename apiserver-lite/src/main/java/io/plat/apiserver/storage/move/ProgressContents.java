package io.plat.apiserver.storage.move;

import io.plat.apiserver.storage.StorageException;
import java.util.function.LongConsumer;

/**
 * Contents that report the progress of reading.
 *
 * @param progress called periodically with the number of objects passed on; restarts with each reading
 */
public record ProgressContents(Contents contents, LongConsumer progress) implements Contents {
    private static final int STEP = 1000;

    @Override
    public long revision() {
        return contents.revision();
    }

    @Override
    public long objects() {
        return contents.objects();
    }

    @Override
    public void forEach(ObjectConsumer consumer) throws StorageException {
        var counter = new Object() {
            long count;
        };
        contents.forEach(kept -> {
            consumer.accept(kept);
            counter.count++;
            if (counter.count % STEP == 0) {
                progress.accept(counter.count);
            }
        });
    }

    @Override
    public void ensureUnchanged() throws StorageException {
        contents.ensureUnchanged();
    }

    @Override
    public void close() throws StorageException {
        contents.close();
    }
}
