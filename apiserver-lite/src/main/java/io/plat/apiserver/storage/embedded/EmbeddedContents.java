package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Tree;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.Kept;
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

/** The contents of an embedded store, read whole into memory, as a server does, and checked on the way. */
public final class EmbeddedContents implements Contents {
    /**
     * How objects age.
     *
     * @param lifetimes for how long objects of a resource are kept after they were written last; others stay
     * @param clock the time
     */
    public record Ages(Map<String, Duration> lifetimes, InstantSource clock) {
        /** Nothing ages, as long as it is in this store. */
        public static final Ages NONE = new Ages(Map.of(), InstantSource.system());

        public Ages {
            lifetimes = Map.copyOf(lifetimes);
        }
    }

    private final @Nullable DataDirectory held;
    private final long revision;
    private final List<Kept> objects;

    private EmbeddedContents(@Nullable DataDirectory held, long revision, List<Kept> objects) {
        this.held = held;
        this.revision = revision;
        this.objects = objects;
    }

    /**
     * The contents of a store that no server has open, and that none can open until this is closed.
     *
     * @throws StorageException if there is none, if it is in use, can't be read or is damaged
     */
    public static EmbeddedContents open(Path directory, Ages ages) throws StorageException {
        Path file = SqliteFile.in(directory);
        DataDirectory held = DataDirectory.open(directory);
        try {
            WriteAheadLog.check(directory.resolve(SqliteFile.WRITE_AHEAD));
            return load(file, ages, held);
        } catch (StorageException e) {
            held.close();
            throw e;
        }
    }

    /**
     * The contents of a store as they are at this moment, whether a server has it open or not.
     *
     * @throws StorageException if there is none, if it can't be read or is damaged
     */
    public static EmbeddedContents openBesideServer(Path directory) throws StorageException {
        return load(SqliteFile.in(directory), Ages.NONE, null);
    }

    /** Reads the contents of a file that nobody else writes to, or that is being written to. */
    static EmbeddedContents load(Path file, Ages ages, @Nullable DataDirectory held) throws StorageException {
        var loader = new Loader();
        var written = new HashMap<Key, Long>();
        try (Connection connection = SqliteFile.connect(file, SqliteFile.Access.READING);
                Statement statement = connection.createStatement()) {
            // Everything is of one moment.
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
            throw SqliteFailures.unreadable("read \"" + file + "\"", e);
        }
        return new EmbeddedContents(held, loader.revision(), objects(loader.tree(), ages, written));
    }

    private static List<Kept> objects(Tree tree, Ages ages, Map<Key, Long> written) {
        long now = ages.clock().millis();
        var objects = new ArrayList<Kept>(tree.size());
        for (Entry entry : tree.slice(0, tree.size())) {
            Duration lifetime = ages.lifetimes().get(entry.key().resource());
            long seconds = lifetime == null
                    ? Kept.LASTING
                    : Math.ceilDiv(lifetime.toMillis() - (now - written.getOrDefault(entry.key(), now)), 1000L);
            if (lifetime == null || seconds > 0) {
                objects.add(new Kept(entry.key(), entry.value(), seconds));
            }
        }
        return objects;
    }

    @Override
    public long revision() {
        return revision;
    }

    @Override
    public long objects() {
        return objects.size();
    }

    @Override
    public void each(Taker taker) throws StorageException {
        for (Kept kept : objects) {
            taker.take(kept);
        }
    }

    @Override
    public void ensureUnchanged() {
        // Either nobody else can open it, or it is meant as it was at one moment.
    }

    @Override
    public void close() throws StorageException {
        if (held != null) {
            held.close();
        }
    }
}
