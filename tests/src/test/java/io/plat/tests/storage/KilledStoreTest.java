package io.plat.tests.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.storage.embedded.EmbeddedStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A multi-threaded writing process is killed (SIGKILL) repeatedly on the same data: acknowledged writes exist, acknowledged deletions are
 * effective, nothing is duplicated or changed, and revisions only grow. A watch that is resumed after each kill misses nothing: its events
 * yield the contents of the store.
 */
final class KilledStoreTest {
    private static final boolean FULL = Boolean.getBoolean("plat.full");

    /** Together with those of a whole server, 1,000 in the full run. */
    private static final int CYCLES = FULL ? 900 : 5;

    private static final int THREADS = 16;

    /** Comparing an ever-growing store would take most of the time. */
    private static final int LIVES_OF_A_STORE = 25;

    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> perhapsDeleted = new HashSet<>();
    private final Map<String, Long> watched = new HashMap<>();
    private long position;
    private long newest;

    @Test
    void acknowledgedWritesSurvive(@TempDir Path directory) throws IOException, InterruptedException, StorageException {
        long seed = FULL ? System.nanoTime() : 42;
        var random = new Random(seed);
        long objects = 0;
        for (int life = 0; life < CYCLES; life++) {
            if (life % LIVES_OF_A_STORE == 0) {
                objects += acknowledged.size();
                forget();
            }
            Path store = directory.resolve("store" + life / LIVES_OF_A_STORE);
            int lines = live(store, life, 200 + random.nextInt(800));
            assertThat(lines).as("life %d of seed %d wrote", life, seed).isPositive();
            check(store, "life " + life + " of seed " + seed);
        }
        System.out.printf(
                "killed store: seed %d, %d lives, %d objects acknowledged and there%n",
                seed, CYCLES, objects + acknowledged.size());
    }

    /** Runs the writing process until it has printed this many lines, kills it, and reads the remaining output, which counts. */
    private int live(Path directory, int life, int lines) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        WritingProcess.class.getName(),
                        directory.toString(),
                        Integer.toString(THREADS),
                        Integer.toString(life),
                        Long.toString(position))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int read = 0;
        try (BufferedReader message = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            for (String line = message.readLine(); line != null; line = message.readLine()) {
                read++;
                note(line);
                if (read == lines) {
                    process.toHandle().destroyForcibly();
                }
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
        return read;
    }

    /** A truncated last line is not an acknowledgement. */
    private void note(String line) {
        String[] parts = line.split(" ", -1);
        switch (parts[0]) {
            case "put" -> {
                if (parts.length == 3 && !parts[2].isEmpty()) {
                    acknowledged.add(parts[1]);
                }
            }
            case "deleting" -> perhapsDeleted.add(parts[1]);
            case "deleted" -> {
                if (parts.length == 3) {
                    acknowledged.remove(parts[1]);
                }
            }
            case "saw" -> {
                if (parts.length == 4 && line.length() > 0) {
                    see(Event.Type.valueOf(parts[1]), parts[2], Long.parseLong(parts[3]));
                }
            }
            default -> assertThat(line).isEqualTo("put, deleting, deleted or saw");
        }
    }

    private void forget() {
        acknowledged.clear();
        perhapsDeleted.clear();
        watched.clear();
        position = 0;
        newest = 0;
    }

    private void see(Event.Type type, String path, long revision) {
        assertThat(revision).as("the watch's next revision").isGreaterThan(position);
        position = revision;
        boolean exists = (type == Event.Type.DELETED ? watched.remove(path) : watched.put(path, revision)) != null;
        assertThat(exists).as("%s of %s at %d", type, path, revision).isEqualTo(type != Event.Type.CREATED);
    }

    /** Resumes the watch where it was when the process was killed. */
    private void catchUp(ObjectStore store) {
        try (Watch watch = store.watch(KeyRange.of("pods"), position, () -> {})) {
            while (watch.poll(1000) instanceof Watch.Batch.Events batch
                    && !batch.events().isEmpty()) {
                batch.events().forEach(event -> see(event.type(), event.key().path(), event.revision()));
            }
        }
    }

    private void check(Path directory, String when) throws StorageException {
        try (ObjectStore store = EmbeddedStore.open(directory, StoreOptions.keeping(WritingProcess.HISTORY))) {
            Snapshot snapshot = store.latest();
            assertThat(snapshot.revision()).as(when).isGreaterThan(newest);
            newest = snapshot.revision();
            List<Entry> entries = snapshot.page(KeyRange.of("pods"), "", 0).entries();
            var revisions = new HashSet<Long>();
            var exists = new HashSet<String>();
            for (Entry entry : entries) {
                String path = entry.key().path();
                assertThat(new String(entry.value(), UTF_8)).as(when).isEqualTo("value of " + path);
                assertThat(revisions.add(entry.revision())).as(when).isTrue();
                assertThat(entry.revision()).as(when).isLessThanOrEqualTo(newest);
                exists.add(path);
            }
            catchUp(store);
            assertThat(watched)
                    .as(when)
                    .isEqualTo(entries.stream()
                            .collect(Collectors.toMap(entry -> entry.key().path(), Entry::revision)));
            var lost = new HashSet<>(acknowledged);
            lost.removeAll(perhapsDeleted);
            lost.removeAll(exists);
            assertThat(lost).as(when).isEmpty();
            var backAgain = new HashSet<>(perhapsDeleted);
            backAgain.removeAll(acknowledged);
            backAgain.retainAll(exists);
            assertThat(backAgain).as(when).isEmpty();
        }
    }
}
