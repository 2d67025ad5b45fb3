package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Tree;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.StoredObject;
import io.plat.engine.lookup.Frozen;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Contents of an embedded store, loaded into memory as by a server, and verified in the process. */
public record EmbeddedContents(@Nullable DataDirectory held, long revision, List<StoredObject> loaded)
        implements Contents {
    /**
     * Ageing of objects.
     *
     * @param lifetimes lifetimes after the last write, by resource; other objects do not age
     */
    public record Expiry(Map<String, Duration> lifetimes, InstantSource clock) {
        /** No ageing, as within this store. */
        public static final Expiry NONE = new Expiry(Map.of(), InstantSource.system());

        public Expiry {
            lifetimes = Frozen.copyOf(lifetimes);
        }
    }

    /**
     * Opens the contents of a store that is not in use, and locks it until closed.
     *
     * @throws StorageException if it does not exist, is in use, unreadable or damaged
     */
    public static EmbeddedContents open(Path directory, Expiry ages) throws StorageException {
        Path file = SqliteFile.in(directory);
        DataDirectory lockedDirectory = DataDirectory.open(directory);
        try {
            WriteAheadLog.check(directory.resolve(SqliteFile.WRITE_AHEAD));
            return load(file, ages, lockedDirectory);
        } catch (StorageException e) {
            lockedDirectory.close();
            throw e;
        }
    }

    /** Opens the current contents of a store, even while a server uses it. */
    public static EmbeddedContents openOnline(Path directory) throws StorageException {
        return load(SqliteFile.in(directory), Expiry.NONE, null);
    }

    /** Loads the contents of a file, which may be in use. */
    static EmbeddedContents load(Path file, Expiry ages, @Nullable DataDirectory held) throws StorageException {
        var loader = new Loader();
        var written = new HashMap<Key, Long>();
        try (Connection connection = SqliteFile.connect(file, SqliteFile.Access.READING);
                Statement statement = connection.createStatement()) {
            // Reads a consistent snapshot.
            statement.execute("BEGIN");
            SqliteFile.quickCheck(statement, file);
            loader.load(begin -> SqliteRow.readAll(statement, floor -> {
                ChangeSource.Reader reader = begin.apply(floor);
                return (time, entry, deleted) -> {
                    if (ages.lifetimes().containsKey(entry.key().resource())) {
                        written.put(entry.key(), time);
                    }
                    reader.change(time, entry, deleted);
                };
            }));
        } catch (SQLException e) {
            throw SqliteFile.unreadable("read \"" + file + "\"", e);
        }
        return new EmbeddedContents(held, loader.revision(), objects(loader.tree(), ages, written));
    }

    private static List<StoredObject> objects(Tree tree, Expiry ages, Map<Key, Long> written) {
        long now = ages.clock().millis();
        var objects = new ArrayList<StoredObject>(tree.size());
        for (Entry entry : tree.slice(0, tree.size())) {
            Duration lifetime = ages.lifetimes().get(entry.key().resource());
            long seconds = lifetime == null
                    ? StoredObject.NO_EXPIRY
                    : Math.ceilDiv(lifetime.toMillis() - (now - written.getOrDefault(entry.key(), now)), 1000L);
            if (lifetime == null || seconds > 0) {
                objects.add(new StoredObject(entry.key(), entry.value(), seconds));
            }
        }
        return objects;
    }

    @Override
    public long objects() {
        return loaded.size();
    }

    @Override
    public void forEach(ObjectConsumer consumer) throws StorageException {
        for (StoredObject object : loaded) {
            consumer.accept(object);
        }
    }

    @Override
    public void ensureUnchanged() {
        // Either the store is locked, or a snapshot was requested.
    }

    @Override
    public void close() throws StorageException {
        if (held != null) {
            held.close();
        }
    }
}
