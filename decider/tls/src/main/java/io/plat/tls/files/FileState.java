package io.plat.tls.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * State of a file at some time.
 *
 * <p>Content is compared by its SHA-256, which is computed again only if the file's attributes differ, or if its time is so recent that a later
 * write could have left it the same.
 *
 * @param attributes identity, size and times; {@code ""} if the file cannot be inspected
 * @param settled whether the times are old enough to reveal a later write
 * @param content the hash, or {@code absent}, {@code special} or {@code unreadable}
 * @param real the target of links; as given for one that cannot be inspected
 */
record FileState(String attributes, boolean settled, String content, Path real) {
    /** The coarsest timestamps of a file system in use (FAT: 2 s), and a second for clock differences. */
    private static final Duration COARSE = Duration.ofSeconds(3);

    boolean sameContent(FileState other) {
        return content.equals(other.content);
    }

    /** Returns whether the file was not touched between two states. */
    boolean isUntouched(FileState other) {
        return attributes.equals(other.attributes) && sameContent(other);
    }

    /** Returns whether there is no file that could be incomplete. */
    boolean isNothing() {
        return attributes.isEmpty();
    }

    /**
     * Returns the current state.
     *
     * @param before the previous state, or null
     */
    static FileState of(Path file, @Nullable FileState before) {
        try {
            BasicFileAttributes basic = Files.readAttributes(file, BasicFileAttributes.class);
            if (!basic.isRegularFile()) {
                // A pipe or device: reading could block forever, and would take its content from other readers.
                return new FileState("", false, "special", file);
            }
            Instant written = basic.lastModifiedTime().toInstant();
            Instant changed = statusChange(file, written);
            String attributes = Objects.toString(basic.fileKey()) + " " + basic.size() + " " + written + " " + changed;
            if (before != null && before.settled && before.attributes.equals(attributes)) {
                return before;
            }
            Instant latest = changed.isAfter(written) ? changed : written;
            // The file system's clock and not an injected one, as only its own times are comparable.
            boolean settled = latest.isBefore(Instant.now().minus(COARSE));
            return new FileState(attributes, settled, hash(file), file.toRealPath());
        } catch (NoSuchFileException _) {
            return new FileState("", false, "absent", file);
        } catch (IOException _) {
            return new FileState("", false, "unreadable", file);
        }
    }

    /**
     * Returns whether a new file was last written at least this long before it appeared. A rename, like setting the times, changes a file's
     * status and not its content; both times are from the file system, so no other clock matters. If only one of them is available, the
     * result is false.
     */
    static boolean wasWrittenBefore(Path file, Duration before) {
        try {
            Instant written = Files.getLastModifiedTime(file).toInstant();
            return !statusChange(file, written).minus(before).isBefore(written) && !before.isZero();
        } catch (IOException _) {
            // Deleted again, or unreadable: not known to be complete.
            return false;
        }
    }

    /** Returns the time of the last change of the file or its attributes, which no program can set back. */
    private static Instant statusChange(Path file, Instant otherwise) throws IOException {
        if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
            return otherwise;
        }
        Map<String, Object> unix = Files.readAttributes(file, "unix:ctime");
        return unix.get("ctime") instanceof FileTime time ? time.toInstant() : otherwise;
    }

    private static String hash(Path file) throws IOException {
        MessageDigest digest = Sha256.empty();
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Channels.newInputStream(RegularFile.open(file))) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
