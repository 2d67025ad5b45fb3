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
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;

/** Data directory, used by one store at a time: it is locked until the process ends. */
record DataDirectory(Path path, FileChannel lock) implements AutoCloseable {
    static DataDirectory open(Path path) throws StorageException {
        try {
            create(path.toAbsolutePath());
            return new DataDirectory(path, lock(path));
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
        FileChannel channel =
                FileChannel.open(path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
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
