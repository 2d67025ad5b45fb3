package io.plat.tests.storage;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * A process that writes until it is killed: each thread creates its own keys, prints each acknowledged write, and deletes every third key;
 * a watch resumes where that of the previous run ended and prints its events. Each line is one {@code write} call, so that a kill truncates
 * at most the last one.
 */
final class WritingProcess {
    /** Long enough for a watch that is one run behind, short enough for compaction during the runs. */
    static final HistoryPolicy HISTORY = new HistoryPolicy.Changes(5000);

    private WritingProcess() {}

    /** Arguments: data directory, number of threads, number of this run, position of the watch. */
    public static void main(String[] arguments) throws StorageException, InterruptedException {
        ObjectStore store = EmbeddedStore.open(Path.of(arguments[0]), StoreOptions.keeping(HISTORY));
        int threads = Integer.parseInt(arguments[1]);
        String life = arguments[2];
        long position = Long.parseLong(arguments[3]);
        Thread.ofPlatform().daemon().start(() -> watch(store, position));
        List<Thread> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            String namespace = "n" + i;
            writers.add(Thread.ofPlatform().start(() -> writeForEver(store, namespace, life)));
        }
        for (Thread writer : writers) {
            writer.join();
        }
    }

    private static void watch(ObjectStore store, long position) {
        var more = new Semaphore(1);
        try (Watch watch = store.watch(KeyRange.of("pods"), position, more::release)) {
            while (true) {
                more.acquireUninterruptibly();
                more.drainPermits();
                while (watch.poll(100) instanceof Watch.Batch.Events batch
                        && !batch.events().isEmpty()) {
                    for (Event event : batch.events()) {
                        print("saw " + event.type() + " " + event.key().path() + " " + event.revision());
                    }
                }
            }
        }
    }

    private static void writeForEver(ObjectStore store, String namespace, String life) {
        try {
            for (int i = 0; ; i++) {
                Key key = new Key("pods", namespace, "x" + life + "-" + i);
                Outcome result = store.commit(Transaction.create(key, ("value of " + key.path()).getBytes(UTF_8)));
                if (!(result instanceof Outcome.Committed created)) {
                    print("wrong " + key.path());
                    return;
                }
                print("put " + key.path() + " " + created.event().revision());
                if (i % 3 == 2) {
                    print("deleting " + key.path());
                    Outcome deletion =
                            store.commit(Transaction.delete(created.event().entry()));
                    if (deletion instanceof Outcome.Committed deleted) {
                        print("deleted " + key.path() + " " + deleted.event().revision());
                    }
                }
            }
        } catch (StorageException e) {
            print("failed " + e.getMessage());
        }
    }

    private static void print(String line) {
        byte[] bytes = (line + "\n").getBytes(UTF_8);
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
    }
}
