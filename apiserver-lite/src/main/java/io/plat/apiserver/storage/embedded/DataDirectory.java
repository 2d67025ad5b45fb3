package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Data directory, used by one store at a time: it is locked until the process ends.
 *
 * @param fileKey identity of the lock file; null if the file system has none
 */
record DataDirectory(Path path, FileChannel lock, @Nullable Object fileKey) implements AutoCloseable {
    private static final String LOCK = "lock";

    static DataDirectory open(Path path) throws StorageException {
        try {
            create(path.toAbsolutePath());
            FileChannel lock = lock(path);
            return new DataDirectory(path, lock, fileKey(path));
        } catch (IOException e) {
            throw new StorageException(
                    Kind.READ_ONLY, "cannot write to the data directory \"" + path + "\": " + reason(e), e);
        }
    }

    /** Creates the directory and its parents durably: acknowledged data must not vanish with its directory. */
    private static void create(Path path) throws IOException {
        Path parent = path.getParent();
        if (Files.isDirectory(path) || parent == null) {
            return;
        }
        create(parent);
        Files.createDirectories(
                path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        sync(parent);
    }

    private static FileChannel lock(Path path) throws IOException, StorageException {
        FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!locked(channel)) {
            channel.close();
            throw new StorageException(Kind.IN_USE, "the data directory \"" + path + "\" is in use by another process");
        }
        return channel;
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static @Nullable Object fileKey(Path path) throws IOException {
        return Files.readAttributes(path.resolve(LOCK), BasicFileAttributes.class)
                .fileKey();
    }

    /** Requires that the directory still has the locked file: without it, another process may have locked a new one. */
    void requireLock() throws StorageException {
        boolean held;
        try {
            held = Objects.equals(fileKey, fileKey(path));
        } catch (NoSuchFileException removed) {
            held = false;
        } catch (IOException e) {
            throw new StorageException(
                    Kind.READ_ONLY, "cannot read the data directory \"" + path + "\": " + reason(e), e);
        }
        if (!held) {
            throw new StorageException(
                    Kind.LOST,
                    "the file \"" + path.resolve(LOCK)
                            + "\" was removed or replaced, so another process may use the data"
                            + " directory; restart this server when no other process does");
        }
    }

    Path file(String name) {
        return path.resolve(name);
    }

    /** Makes the directory's entries durable: names of created and renamed files. */
    void sync() throws IOException {
        sync(path);
    }

    /** Makes the content of a file durable, or the entries of a directory. */
    static void sync(Path path) throws IOException {
        try (FileChannel written = FileChannel.open(path, StandardOpenOption.READ)) {
            written.force(true);
        }
    }

    @Override
    public void close() throws StorageException {
        try {
            lock.close();
        } catch (IOException e) {
            throw new StorageException(Kind.UNAVAILABLE, "cannot release \"" + path + "\": " + reason(e), e);
        }
    }

    /** Returns the system's error message without the class and the path, which the message contains already. */
    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such directory";
            case AccessDeniedException _ -> "permission denied";
            case FileAlreadyExistsException _ -> "not a directory";
            case FileSystemException named when named.getReason() != null -> named.getReason();
            default ->
                Objects.requireNonNullElse(
                        failure.getMessage(), failure.getClass().getSimpleName());
        };
    }
}
