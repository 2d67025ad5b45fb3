package io.plat.apiserver.storage.move;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Backup file, in a format independent of the storage backend.
 *
 * <p>A line of text, {@code plat-backup 1 REVISION}, then a record for each object, in the order of keys: the byte 1, and as big-endian
 * numbers of four bytes the length of the key's path, the remaining lifetime in seconds (0 for no expiry) and the length of its bytes;
 * the path, the bytes, and the CRC-32C of the preceding parts of the record. At the end the byte 0, the number of objects in eight bytes,
 * and the 32 bytes of {@link ContentsDigest#sha256}. A truncated or modified file is therefore rejected, with the position.
 */
public record BackupFile(Path file, long revision, ContentsDigest digest) implements Contents {
    static final int OBJECT = 1;
    static final int END = 0;
    static final int MAX_PATH_LENGTH = 64 << 10;
    static final int MAX_OBJECT_BYTES = 64 << 20;
    static final int SHA256_BYTES = 32;
    static final int HEAD = 3 * Integer.BYTES;

    private static final int MAX_LINE_LENGTH = 64;
    private static final Pattern LINE = Pattern.compile("plat-backup ([0-9]{1,9}) ([0-9]{1,18})");
    private static final String VERSION = "1";

    /**
     * Reads a whole file.
     *
     * @throws StorageException if it is unreadable or incomplete
     */
    public static BackupFile open(Path file) throws StorageException {
        try (DataInputStream in = stream(file)) {
            long revision = line(file, in);
            return new BackupFile(file, revision, records(file, in, kept -> {}));
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    /** Requires that an existing file begins as a backup, complete or not. */
    static void requireBackup(Path file) throws StorageException {
        try (DataInputStream in = stream(file)) {
            line(file, in);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    static byte[] line(long revision) {
        return ("plat-backup " + VERSION + " " + revision + "\n").getBytes(US_ASCII);
    }

    @Override
    public long objects() {
        return digest.objects();
    }

    @Override
    public void forEach(ObjectConsumer consumer) throws StorageException {
        try (DataInputStream in = stream(file)) {
            line(file, in);
            if (!records(file, in, consumer).equals(digest)) {
                throw damaged(file, "it was changed while it was read");
            }
        } catch (IOException e) {
            throw unreadable(file, e);
        }
    }

    private static DataInputStream stream(Path file) throws IOException {
        return new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
    }

    private static long line(Path file, DataInputStream in) throws IOException, StorageException {
        var line = new ByteArrayOutputStream();
        int next = in.read();
        while (next >= 0 && next != '\n' && line.size() < MAX_LINE_LENGTH) {
            line.write(next);
            next = in.read();
        }
        Matcher parts = LINE.matcher(line.toString(US_ASCII));
        if (next != '\n' || !parts.matches()) {
            throw new StorageException(Kind.UNKNOWN_FORMAT, "\"" + file + "\" is not a backup");
        }
        if (!parts.group(1).equals(VERSION)) {
            throw new StorageException(
                    Kind.UNKNOWN_FORMAT, "\"" + file + "\" is of version " + parts.group(1) + ", expected " + VERSION);
        }
        return Long.parseLong(parts.group(2));
    }

    private static ContentsDigest records(Path file, DataInputStream in, ObjectConsumer consumer)
            throws IOException, StorageException {
        var running = new ContentsDigest.Accumulator();
        try {
            while (true) {
                int tag = in.readUnsignedByte();
                if (tag == END) {
                    return end(file, in, running.digest());
                }
                if (tag != OBJECT) {
                    throw damaged(file, running);
                }
                consumer.accept(record(file, in, running));
            }
        } catch (EOFException cutShort) {
            throw new StorageException(
                    Kind.CORRUPT,
                    "\"" + file + "\" is damaged: it ends after object "
                            + running.digest().objects(),
                    cutShort);
        }
    }

    private static StoredObject record(Path file, DataInputStream in, ContentsDigest.Accumulator running)
            throws IOException, StorageException {
        byte[] head = exactly(in, HEAD);
        ByteBuffer numbers = ByteBuffer.wrap(head);
        int path = numbers.getInt();
        int seconds = numbers.getInt();
        int length = numbers.getInt();
        if (path < 1 || path > MAX_PATH_LENGTH || seconds < 0 || length < 0 || length > MAX_OBJECT_BYTES) {
            throw damaged(file, running);
        }
        byte[] name = exactly(in, path);
        byte[] bytes = exactly(in, length);
        if (in.readInt() != checksum(head, name, bytes)) {
            throw damaged(file, running);
        }
        try {
            String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
            if (text.startsWith("~")) {
                throw new IllegalArgumentException("an internal key of the store in etcd");
            }
            var kept = new StoredObject(Key.parse(text), bytes, seconds);
            running.add(kept);
            return kept;
        } catch (CharacterCodingException | IllegalArgumentException wrong) {
            throw new StorageException(
                    Kind.CORRUPT,
                    "\"" + file + "\" is damaged: object " + (running.digest().objects() + 1) + " has an invalid key",
                    wrong);
        }
    }

    private static byte[] exactly(DataInputStream in, int length) throws IOException {
        // Grows with the available bytes, as a damaged length field may contain anything.
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return bytes;
    }

    static int checksum(byte[]... parts) {
        var crc = new CRC32C();
        for (byte[] part : parts) {
            crc.update(part);
        }
        return (int) crc.getValue();
    }

    private static ContentsDigest end(Path file, DataInputStream in, ContentsDigest actual)
            throws IOException, StorageException {
        long objects = in.readLong();
        String sha256 = HexFormat.of().formatHex(exactly(in, SHA256_BYTES));
        if (!actual.equals(new ContentsDigest(objects, sha256))) {
            throw damaged(file, "it holds " + actual.objects() + " objects, expected " + objects + " with other bytes");
        }
        if (in.read() >= 0) {
            throw damaged(file, "unexpected data after its end");
        }
        return actual;
    }

    private static StorageException damaged(Path file, ContentsDigest.Accumulator running) {
        return damaged(file, "object " + (running.digest().objects() + 1) + " is damaged");
    }

    private static StorageException damaged(Path file, String how) {
        return new StorageException(Kind.CORRUPT, "\"" + file + "\" is damaged: " + how);
    }

    private static StorageException unreadable(Path file, IOException e) {
        return new StorageException(Kind.UNAVAILABLE, "cannot read \"" + file + "\": " + BackupWriter.reason(e), e);
    }

    @Override
    public void ensureUnchanged() {
        // Each reading compares it with the first.
    }

    @Override
    public void close() {
        // Nothing stays open between readings.
    }
}
