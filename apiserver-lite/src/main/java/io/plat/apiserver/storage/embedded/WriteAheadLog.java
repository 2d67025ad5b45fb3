package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Distinguishes a truncated write-ahead log from a damaged one. The database does not: it silently ignores everything after the first
 * wrong checksum, which is correct after a crash during the last commit, but would lose acknowledged writes after bit rot in an earlier
 * frame.
 *
 * <p>A commit starts after the previous one is on the disk. So a crash leaves frames of at most one commit after the last valid frame; a
 * commit frame followed by another frame of the same log was completely on the disk. Only damage in the very last commit cannot be
 * distinguished from a torn one.
 *
 * <p>The format is that of SQLite ("Database File Format", section 4): a header of 32 bytes, then frames of a header of 24 bytes and a
 * page each; numbers are big-endian; checksums are cumulative, over 32-bit words in the byte order given by the magic number.
 */
final class WriteAheadLog {
    private static final int HEADER = 32;
    private static final int FRAME_HEADER = 24;
    private static final int MAGIC = 0x377f0682;
    private static final int MAX_PAGE_BYTES = 65_536;

    private final FileChannel file;
    private final Path path;
    private int sum1;
    private int sum2;

    private WriteAheadLog(FileChannel file, Path path) {
        this.file = file;
        this.path = path;
    }

    /**
     * Verifies a log that is not in use; a missing or empty one is valid.
     *
     * @throws StorageException if it is unreadable, or a completed commit in it is damaged
     */
    static void check(Path path) throws StorageException {
        try {
            if (!Files.exists(path)) {
                return;
            }
            try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
                if (file.size() > HEADER) {
                    new WriteAheadLog(file, path).check();
                }
            }
        } catch (IOException e) {
            throw new StorageException(Kind.READ_ONLY, "cannot read \"" + path + "\": " + e, e);
        }
    }

    private void check() throws IOException, StorageException {
        ByteBuffer header = read(0, HEADER);
        int magic = header.getInt(0);
        int page = header.getInt(8);
        ByteOrder order = (magic & 1) == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        add(header, 0, 24, order);
        if ((magic & ~1) != MAGIC
                || page < 512
                || page > MAX_PAGE_BYTES
                || Integer.bitCount(page) != 1
                || sum1 != header.getInt(24)
                || sum2 != header.getInt(28)) {
            throw damaged("its header");
        }
        long salt = header.getLong(16);
        long frames = (file.size() - HEADER) / (FRAME_HEADER + page);
        long valid = 0;
        while (valid < frames && isValid(read(position(valid, page), FRAME_HEADER + page), salt, order)) {
            valid++;
        }
        checkRest(valid, frames, page, salt);
    }

    private static long position(long frame, int page) {
        return HEADER + frame * (FRAME_HEADER + page);
    }

    private boolean isValid(ByteBuffer frame, long salt, ByteOrder order) {
        add(frame, 0, 8, order);
        add(frame, FRAME_HEADER, frame.capacity(), order);
        return frame.getLong(8) == salt && frame.getInt(16) == sum1 && frame.getInt(20) == sum2;
    }

    /** Checks the rest: after the last valid frame there may be frames of an earlier log, and those of one torn commit. */
    private void checkRest(long valid, long frames, int page, long salt) throws IOException, StorageException {
        boolean ended = false;
        for (long frame = valid; frame < frames; frame++) {
            ByteBuffer header = read(position(frame, page), FRAME_HEADER);
            boolean ofThisLog = ofThisLog(header, salt);
            if (ofThisLog && ended) {
                throw damaged("frame " + valid + " of " + frames);
            }
            ended |= ofThisLog && header.getInt(4) != 0;
        }
    }

    /** Returns whether a frame belongs to this log. An earlier log differs in both salts; a single different one is damage. */
    private static boolean ofThisLog(ByteBuffer frame, long salt) {
        return frame.getInt(8) == (int) (salt >>> 32) || frame.getInt(12) == (int) salt;
    }

    private StorageException damaged(String what) {
        return new StorageException(Kind.CORRUPT, "\"" + path + "\" is damaged: " + what);
    }

    private ByteBuffer read(long position, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, position + buffer.position()) < 0) {
                throw new IOException("cut short while it was read");
            }
        }
        return buffer;
    }

    private void add(ByteBuffer bytes, int from, int until, ByteOrder order) {
        bytes.order(order);
        for (int at = from; at < until; at += 8) {
            sum1 += bytes.getInt(at) + sum2;
            sum2 += bytes.getInt(at + 4) + sum1;
        }
        bytes.order(ByteOrder.BIG_ENDIAN);
    }
}
