package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.move.Contents;
import io.plat.apiserver.storage.move.ContentsDigest;
import io.plat.apiserver.storage.move.Destination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.InstantSource;

/**
 * Directory of an embedded store as a destination of contents. The store is built under another name, read back, and only then renamed;
 * until then an existing one is unchanged.
 */
public record EmbeddedDestination(Path directory, boolean replace, InstantSource clock) implements Destination {
    /** Upper bound for the number of revisions that an unreadable store may have issued beyond the known ones. */
    static final long UNKNOWN = 1_000_000_000;

    @Override
    public ContentsDigest write(Contents contents, long minRevision) throws StorageException {
        Path present = directory.resolve(SqliteFile.NAME);
        if (!replace && Files.exists(present)) {
            throw new StorageException(
                    Kind.UNAVAILABLE, "\"" + directory + "\" already contains a store; use --force to replace it");
        }
        try (DataDirectory lockedDirectory = DataDirectory.open(directory)) {
            return install(
                    contents,
                    Math.max(minRevision, Files.exists(present) ? newestRevision(present, minRevision) : 0),
                    lockedDirectory);
        }
    }

    /** Returns the newest revision that clients of the replaced store have seen, or an upper bound if it is damaged. */
    private static long newestRevision(Path present, long minRevision) throws StorageException {
        try {
            return EmbeddedContents.load(present, EmbeddedContents.Expiry.NONE, null)
                    .revision();
        } catch (StorageException e) {
            if (e.kind() != Kind.CORRUPT) {
                throw e;
            }
            return minRevision + UNKNOWN;
        }
    }

    private static ContentsDigest build(Contents contents, long minRevision, InstantSource clock, Path unfinished)
            throws SQLException, IOException, StorageException {
        var written = new ContentsDigest.Accumulator();
        SqliteFile.create(unfinished, created -> {
            long time = clock.millis();
            long[] revision = {minRevision + 1};
            try (PreparedStatement insert = created.prepareStatement(SqliteRow.INSERT)) {
                contents.forEach(object -> {
                    written.add(object);
                    String path = object.key().path();
                    try {
                        SqliteRow.insert(insert, ++revision[0], time, path, object.bytes());
                    } catch (SQLException e) {
                        throw SqliteFile.failure("write \"" + path + "\"", e);
                    }
                });
            }
            return revision[0];
        });
        ContentsDigest read = written.digest()
                .ensureReadBack(
                        ContentsDigest.of(EmbeddedContents.load(unfinished, EmbeddedContents.Expiry.NONE, null)));
        contents.ensureUnchanged();
        return read;
    }

    private ContentsDigest install(Contents contents, long minRevision, DataDirectory lockedDirectory)
            throws StorageException {
        Path unfinished = lockedDirectory.file(SqliteFile.NAME + ".new");
        try {
            try {
                ContentsDigest digest = build(contents, minRevision, clock, unfinished);
                SqliteFile.install(lockedDirectory, unfinished);
                return digest;
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (SQLException e) {
            throw SqliteFile.failure("write to \"" + directory + "\"", e);
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "cannot write to \"" + directory + "\": " + e, e);
        }
    }
}
