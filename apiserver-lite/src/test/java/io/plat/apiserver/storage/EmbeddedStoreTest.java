package io.plat.apiserver.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands on the disk: what survives, who may open it, what happens when it is damaged, full or not writable. */
final class EmbeddedStoreTest {
    private static final StoreOptions OPTIONS = StoreOptions.keeping(HistoryPolicy.DEFAULT);

    private final Path directory;

    EmbeddedStoreTest(@TempDir Path directory) {
        this.directory = directory.resolve("data");
    }

    private static Key key(int number) {
        return new Key("pods", "a", "x" + number);
    }

    private static Event put(ObjectStore store, int number, String value) throws StorageException {
        Entry present = store.latest().get(key(number)).orElse(null);
        byte[] bytes = value.getBytes(UTF_8);
        Outcome outcome = store.commit(
                present == null ? Transaction.create(key(number), bytes) : Transaction.replace(present, bytes));
        return ((Outcome.Committed) outcome).event();
    }

    private static Event delete(ObjectStore store, int number) throws StorageException {
        Entry present = store.latest().get(key(number)).orElseThrow();
        return ((Outcome.Committed) store.commit(Transaction.delete(present))).event();
    }

    private ObjectStore open() throws StorageException {
        return EmbeddedStore.open(directory, OPTIONS);
    }

    private static StorageException.Kind refused(Path directory) {
        try {
            EmbeddedStore.open(directory, OPTIONS).close();
        } catch (StorageException e) {
            assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
            return e.kind();
        }
        throw new AssertionError("it was opened");
    }

    private long rows() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM changes")) {
            return result.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteLog.FILE));
    }

    private void sql(String statement) throws SQLException {
        try (Connection connection = connect();
                Statement made = connection.createStatement()) {
            made.execute(statement);
        }
    }

    @Test
    void stateHistoryAndRevisionSurviveARestart() throws StorageException {
        long first;
        long last;
        try (ObjectStore store = open()) {
            first = put(store, 1, "one").revision();
            put(store, 2, "two");
            put(store, 1, "one again");
            last = delete(store, 2).revision();
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().revision()).isEqualTo(last);
            assertThat(store.latest().get(key(2))).isEmpty();
            Watch watch = store.watch(KeyRange.of("pods"), first, () -> {});
            var events = ((Watch.Batch.Events) watch.poll(10)).events();
            assertThat(events)
                    .extracting(Event::type)
                    .containsExactly(Event.Type.CREATED, Event.Type.UPDATED, Event.Type.DELETED);
            assertThat(new String(events.getLast().entry().value(), UTF_8)).isEqualTo("two");
            assertThat(((Lookup.Found) store.at(first)).snapshot().get(key(1)))
                    .hasValueSatisfying(
                            entry -> assertThat(entry.value()).asString(UTF_8).isEqualTo("one"));
            assertThat(put(store, 3, "three").revision()).isEqualTo(last + 1);
        }
    }

    @Test
    void revisionsNeverGoBackThoughEverythingIsCompacted() throws Exception {
        var options = StoreOptions.keeping(new HistoryPolicy.Age(Duration.ofMillis(50)));
        long last;
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            put(store, 1, "one");
            last = delete(store, 1).revision();
            Awaitility.await().until(() -> rows() == 0);
        }
        try (ObjectStore store = EmbeddedStore.open(directory, options)) {
            assertThat(store.latest().revision()).isEqualTo(last);
            assertThat(store.at(last - 1)).isInstanceOf(Lookup.Gone.class);
            assertThat(put(store, 1, "again").revision()).isEqualTo(last + 1);
        }
    }

    @Test
    void compactionLeavesOneRowAnObject() throws Exception {
        try (ObjectStore store = EmbeddedStore.open(directory, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            for (int i = 0; i < 300; i++) {
                put(store, i % 7, "value " + i);
            }
            Awaitility.await().until(() -> rows() <= 7 + 10 + 1);
        }
        try (ObjectStore store = EmbeddedStore.open(directory, StoreOptions.keeping(new HistoryPolicy.Changes(10)))) {
            assertThat(store.latest().count(KeyRange.of("pods"))).isEqualTo(7);
            assertThat(store.latest().revision()).isEqualTo(300);
            assertThat(store.at(289)).isEqualTo(new Lookup.Gone(290));
            assertThat(store.at(290)).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void aBurstShortensTheHistoryInsteadOfFillingTheHeap() throws StorageException {
        var options = new StoreOptions(HistoryPolicy.DEFAULT, 100_000, OPTIONS.clock());
        try (ObjectStore store = EmbeddedStore.inMemory(options)) {
            for (int i = 0; i < 500; i++) {
                put(store, 1, "value " + i);
            }
            assertThat(store.at(1)).isInstanceOf(Lookup.Gone.class);
            assertThat(store.at(480)).isInstanceOf(Lookup.Found.class);
        }
    }

    @Test
    void manyWritesShareOneSynchronisation() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS);
                CountingLog.Hold hold = log.hold()) {
            var started = new ArrayList<CompletableFuture<Outcome>>();
            for (int i = 0; i < 200; i++) {
                started.add(store.submit(Transaction.create(key(i), new byte[] {1})));
            }
            hold.release();
            for (CompletableFuture<Outcome> one : started) {
                assertThat(ObjectStore.await(one)).isInstanceOf(Outcome.Committed.class);
            }
            assertThat(log.writes()).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void nothingIsVisibleBeforeItIsDurable() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS);
                CountingLog.Hold hold = log.hold()) {
            CompletableFuture<Outcome> started = store.submit(Transaction.create(key(1), new byte[] {1}));
            log.awaitWrite();
            assertThat(store.latest().get(key(1))).isEmpty();
            assertThat(store.latest().revision()).isZero();
            assertThat(started).isNotDone();
            hold.release();
            ObjectStore.await(started);
            assertThat(store.latest().get(key(1))).isPresent();
        }
    }

    @Test
    void aFailedBatchLeavesNoTraceAndLaterOnesGoOnOnceThereIsRoom() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.failWith(new StorageException(StorageException.Kind.FULL, "no space left"));
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("no space left");
            assertThat(store.latest().revision()).isEqualTo(1);
            assertThat(store.latest().get(key(2))).isEmpty();
            assertThat(store.problem()).contains("no space left");
            log.failWith(null);
            assertThat(put(store, 2, "two").revision()).isEqualTo(2);
            assertThat(store.problem()).isEmpty();
        }
    }

    @Test
    void aStoreFindsByItselfThatThereIsRoomAgain() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            log.failWith(new StorageException(StorageException.Kind.FULL, "no space left"));
            assertThatThrownBy(() -> put(store, 1, "one")).hasMessage("no space left");
            log.failWith(null);
            Awaitility.await().until(() -> store.problem().isEmpty());
        }
    }

    @Test
    void aWriteAheadLogWithoutItsFileIsDamage() throws Exception {
        try (ObjectStore store = open()) {
            put(store, 1, "one");
            Files.copy(directory.resolve(SqliteFile.WRITE_AHEAD), directory.resolve(SqliteFile.WRITE_AHEAD + ".copy"));
        }
        Files.move(directory.resolve(SqliteFile.WRITE_AHEAD + ".copy"), directory.resolve(SqliteFile.WRITE_AHEAD));
        Files.delete(directory.resolve(SqliteFile.NAME));
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void afterAFailureThatLeavesTheDiskUnknownNothingIsWrittenAnyMore() throws StorageException {
        var log = new CountingLog();
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.failWith(new StorageException(StorageException.Kind.UNCERTAIN, "the disk failed"));
            assertThatThrownBy(() -> put(store, 2, "two")).hasMessage("the disk failed");
            log.failWith(null);
            assertThatThrownBy(() -> put(store, 3, "three")).hasMessage("the disk failed");
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.problem()).contains("the disk failed");
        }
    }

    @Test
    void aFullDatabaseRefusesAndKeepsWhatItHas() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.pragma("max_page_count = 5");
            assertThatThrownBy(() -> put(store, 2, "x".repeat(100_000)))
                    .isInstanceOfSatisfying(
                            StorageException.class, e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.FULL));
            log.pragma("max_page_count = 100000");
            assertThat(put(store, 2, "x".repeat(100_000)).revision()).isEqualTo(2);
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().revision()).isEqualTo(2);
        }
    }

    @Test
    void aDatabaseThatCannotBeWrittenRefuses() throws Exception {
        SqliteLog log = SqliteLog.open(directory);
        try (ObjectStore store = LoggedStore.start(log, OPTIONS)) {
            put(store, 1, "one");
            log.pragma("query_only = 1");
            assertThatThrownBy(() -> put(store, 2, "two"))
                    .isInstanceOfSatisfying(
                            StorageException.class,
                            e -> assertThat(e.kind()).isEqualTo(StorageException.Kind.READ_ONLY));
            assertThat(store.latest().get(key(1))).isPresent();
            assertThat(store.latest().get(key(2))).isEmpty();
            log.pragma("query_only = 0");
            assertThat(put(store, 2, "two").revision()).isEqualTo(2);
        }
    }

    @Test
    void aSecondOpeningIsRefusedWhileTheFirstStands() throws StorageException {
        try (ObjectStore store = open()) {
            assertThat(refused(directory)).isEqualTo(StorageException.Kind.IN_USE);
            put(store, 1, "still works");
        }
        open().close();
    }

    @Test
    void theDirectoryIsItsOwnersOnly() throws Exception {
        open().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwx------");
    }

    @Test
    void aDirectoryThatIsAFileIsRefused() throws IOException {
        Files.writeString(directory, "not a folder");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.READ_ONLY);
    }

    @Test
    void anEmptyFileIsDamagedNotNew() throws Exception {
        try (ObjectStore store = open()) {
            put(store, 1, "one");
        }
        Files.write(directory.resolve(SqliteLog.FILE), new byte[0]);
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void garbageIsRefused() throws Exception {
        open().close();
        Files.writeString(directory.resolve(SqliteLog.FILE), "this is not a database, ".repeat(500));
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void anotherProgramsDatabaseIsRefused() throws Exception {
        Files.createDirectories(directory);
        sql("CREATE TABLE something (x)");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void aNewerSchemaIsRefused() throws Exception {
        open().close();
        sql("PRAGMA user_version = 99");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.UNKNOWN_FORMAT);
    }

    @Test
    void aTruncatedFileIsRefused() throws Exception {
        fill();
        try (var file = new RandomAccessFile(directory.resolve(SqliteLog.FILE).toFile(), "rw")) {
            file.setLength(file.length() / 2);
        }
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    private void fill() throws StorageException {
        try (ObjectStore store = open()) {
            for (int i = 0; i < 100; i++) {
                put(store, i, "value " + i + " " + "x".repeat(1000));
            }
        }
    }

    @Test
    void aChangedRowIsRefused() throws Exception {
        fill();
        sql("UPDATE changes SET key = 'pods/a/forged' WHERE revision = 50");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    @Test
    void aMissingRowIsRefused() throws Exception {
        fill();
        sql("DELETE FROM changes WHERE revision = 50");
        assertThat(refused(directory)).isEqualTo(StorageException.Kind.CORRUPT);
    }

    /** A floor that has risen hides changes, one that has sunk shows changes without what was before them. */
    @Test
    void aChangedFloorIsRefused() throws Exception {
        fill();
        for (int floor : new int[] {1, 50, 100, 1000, -1}) {
            sql("UPDATE floor SET revision = " + floor);
            assertThat(refused(directory)).as("floor %d", floor).isEqualTo(StorageException.Kind.CORRUPT);
        }
        sql("UPDATE floor SET revision = 0");
        open().close();
    }

    @Test
    void whatWasBeingMadeWhenTheProcessDiedIsMadeAgain() throws Exception {
        Files.createDirectories(directory);
        Files.writeString(directory.resolve(SqliteLog.FILE + ".new"), "half a file");
        try (ObjectStore store = open()) {
            assertThat(put(store, 1, "one").revision()).isEqualTo(1);
        }
    }

    @Test
    void closingFinishesWhatIsUnderWay() throws StorageException {
        List<CompletableFuture<Outcome>> started = new ArrayList<>();
        try (ObjectStore store = open()) {
            for (int i = 0; i < 1000; i++) {
                started.add(store.submit(Transaction.create(key(i), new byte[] {1})));
            }
        }
        for (CompletableFuture<Outcome> one : started) {
            assertThat(one).isCompleted();
        }
        try (ObjectStore store = open()) {
            assertThat(store.latest().count(KeyRange.of("pods"))).isEqualTo(1000);
        }
    }
}
