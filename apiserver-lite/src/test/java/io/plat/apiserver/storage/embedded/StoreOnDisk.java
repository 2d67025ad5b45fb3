package io.plat.apiserver.storage.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.HistoryPolicy;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreOptions;
import io.plat.apiserver.storage.Transaction;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.io.TempDir;

/** A directory with a store, and operations of its tests. */
abstract class StoreOnDisk {
    static final StoreOptions OPTIONS = StoreOptions.keeping(HistoryPolicy.DEFAULT);

    final Path directory;

    StoreOnDisk(@TempDir Path directory) {
        this.directory = directory.resolve("data");
    }

    static Key key(int number) {
        return new Key("pods", "a", "x" + number);
    }

    static Event put(ObjectStore store, int number, String value) throws StorageException {
        Entry present = store.latest().get(key(number)).orElse(null);
        byte[] bytes = value.getBytes(UTF_8);
        Outcome outcome = store.commit(
                present == null ? Transaction.create(key(number), bytes) : Transaction.replace(present, bytes));
        return ((Outcome.Committed) outcome).event();
    }

    static Event delete(ObjectStore store, int number) throws StorageException {
        Entry present = store.latest().get(key(number)).orElseThrow();
        return ((Outcome.Committed) store.commit(Transaction.delete(present))).event();
    }

    final ObjectStore open() throws StorageException {
        return EmbeddedStore.open(directory, OPTIONS);
    }

    static StorageException.Kind refused(Path directory) {
        try {
            EmbeddedStore.open(directory, OPTIONS).close();
        } catch (StorageException e) {
            assertThat(e.getMessage()).doesNotContain("\n").isNotBlank();
            return e.kind();
        }
        throw new AssertionError("it was opened");
    }

    final long rows() throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT count(*) FROM changes")) {
            return result.getLong(1);
        }
    }

    final Connection connect() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + directory.resolve(SqliteLog.FILE));
    }

    final void sql(String statement) throws SQLException {
        try (Connection connection = connect();
                Statement created = connection.createStatement()) {
            created.execute(statement);
        }
    }
}
