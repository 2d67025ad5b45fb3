package io.plat.apiserver.storage.move;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;

/**
 * Writer of a {@link BackupFile} with access for its owner only, under a temporary name; it is read back and synced before it is renamed.
 */
public record BackupWriter(Path file, boolean replace) implements Destination {
    private static final FileAttribute<?> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    @Override
    public ContentsDigest write(Contents contents, long minRevision) throws StorageException {
        if (!replace && Files.exists(file)) {
            throw new StorageException(Kind.UNAVAILABLE, "\"" + file + "\" already exists; use --force to replace it");
        }
        if (Files.exists(file)) {
            // Never a store, or another file that was named by mistake.
            BackupFile.requireBackup(file);
        }
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.deleteIfExists(unfinished);
            Files.createFile(unfinished, OWNER_ONLY);
            try {
                ContentsDigest digest = finish(unfinished, contents);
                Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
                Path directory = file.toAbsolutePath().getParent();
                if (directory != null) {
                    force(directory, StandardOpenOption.READ);
                }
                return digest;
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "cannot write \"" + file + "\": " + reason(e), e);
        }
    }

    private static ContentsDigest finish(Path unfinished, Contents contents) throws IOException, StorageException {
        ContentsDigest written = write(unfinished, contents);
        force(unfinished, StandardOpenOption.WRITE);
        ContentsDigest read = written.ensureReadBack(BackupFile.open(unfinished).digest());
        contents.ensureUnchanged();
        return read;
    }

    private static void force(Path path, StandardOpenOption access) throws IOException {
        try (FileChannel channel = FileChannel.open(path, access)) {
            channel.force(true);
        }
    }

    private static ContentsDigest write(Path unfinished, Contents contents) throws IOException, StorageException {
        var running = new ContentsDigest.Accumulator();
        try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE);
                DataOutputStream out =
                        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16))) {
            out.write(BackupFile.line(contents.revision()));
            contents.forEach(object -> {
                running.add(object);
                write(out, object);
            });
            ContentsDigest digest = running.digest();
            out.write(BackupFile.END);
            out.writeLong(digest.objects());
            out.write(HexFormat.of().parseHex(digest.sha256()));
            return digest;
        }
    }

    private static void write(DataOutputStream out, StoredObject object) throws StorageException {
        byte[] path = object.key().path().getBytes(UTF_8);
        if (path.length > BackupFile.MAX_PATH_LENGTH || object.bytes().length > BackupFile.MAX_OBJECT_BYTES) {
            throw new StorageException(Kind.TOO_LARGE, "too large for a backup: " + object.key());
        }
        byte[] head = ByteBuffer.allocate(BackupFile.HEAD)
                .putInt(path.length)
                .putInt((int) Math.min(object.seconds(), Integer.MAX_VALUE))
                .putInt(object.bytes().length)
                .array();
        try {
            out.write(BackupFile.OBJECT);
            out.write(head);
            out.write(path);
            out.write(object.bytes());
            out.writeInt(BackupFile.checksum(head, path, object.bytes()));
        } catch (IOException e) {
            throw new StorageException(Kind.FULL, "cannot write: " + reason(e), e);
        }
    }

    /** Returns the system's error message without the class. */
    static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException _ -> "no such file or directory";
            case AccessDeniedException _ -> "permission denied";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
