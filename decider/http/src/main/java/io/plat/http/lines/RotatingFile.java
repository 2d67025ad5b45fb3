package io.plat.http.lines;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file of lines that is rotated when it is full. Partially written lines, as on a full disk, are removed; after a partial line of a crash, the file
 * continues on a new line. A file that was moved or removed externally is created again.
 */
final class RotatingFile implements LineSink {
    private static final Set<StandardOpenOption> APPENDING =
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private final Path path;
    private final long maxBytes;
    private final Backups backups;
    private final Consumer<String> onRotationFailure;
    private @Nullable Open open;

    /** An open file with its identity in the file system, and whether it ends in a partial line. */
    private record Open(FileChannel channel, @Nullable Object key, boolean torn) {}

    /**
     * Opens a log's file. A new one is readable by its owner only; an existing one keeps its permissions.
     *
     * @param maxBytes maximum size; a single larger line has its own file
     * @param onRotationFailure receives the reason if a full file cannot be rotated
     * @throws IOException if it cannot be written to
     */
    RotatingFile(Path path, long maxBytes, Backups backups, Consumer<String> onRotationFailure) throws IOException {
        this.path = path;
        this.maxBytes = maxBytes;
        this.backups = backups;
        this.onRotationFailure = onRotationFailure;
        this.open = open();
    }

    private Open open() throws IOException {
        if (LineStream.isStream(path)) {
            // Opening a pipe would wait for its reader.
            throw new FileSystemException(path.toString(), null, "is not a regular file");
        }
        FileChannel channel = FileChannel.open(path, APPENDING, OWNER_ONLY);
        try {
            return new Open(channel, key(), endsInPartialLine());
        } catch (IOException unreadable) {
            channel.close();
            throw unreadable;
        }
    }

    private @Nullable Object key() throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    }

    private boolean endsInPartialLine() throws IOException {
        try (FileChannel read = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            return read.size() > 0 && read.read(last, read.size() - 1) == 1 && last.get(0) != '\n';
        }
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        Open file = current();
        long before = file.channel().size();
        if (before > 0 && before + lines.remaining() > maxBytes) {
            file = rotated();
            before = file.channel().size();
        }
        try {
            if (file.torn()) {
                LineStream.writeAll(file.channel(), ByteBuffer.wrap(new byte[] {'\n'}));
            }
            LineStream.writeAll(file.channel(), lines);
            if (file.torn()) {
                open = new Open(file.channel(), file.key(), false);
            }
        } catch (IOException failed) {
            truncate(file.channel(), before, failed);
            throw failed;
        }
    }

    /** Removes a partial line after a failure, and closes the file, which is checked when it is opened again. */
    private void truncate(FileChannel channel, long size, IOException failed) {
        open = null;
        try (channel) {
            channel.truncate(size);
        } catch (IOException onTruncate) {
            failed.addSuppressed(onTruncate);
        }
    }

    private Open current() throws IOException {
        Open file = open;
        if (file != null && isStillThere(file)) {
            return file;
        }
        close();
        Open again = open();
        open = again;
        return again;
    }

    private boolean isStillThere(Open file) throws IOException {
        try {
            return Objects.equals(key(), file.key());
        } catch (NoSuchFileException ignored) {
            return false;
        }
    }

    private Open rotated() throws IOException {
        close();
        try {
            backups.add();
            backups.prune();
        } catch (IOException failed) {
            // A file that is too large is better than lost lines.
            onRotationFailure.accept(LogFile.problem(failed));
        }
        Open fresh = open();
        open = fresh;
        return fresh;
    }

    @Override
    public void close() throws IOException {
        Open file = open;
        open = null;
        if (file != null) {
            file.channel().close();
        }
    }
}
