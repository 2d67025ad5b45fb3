package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Room on the disk that is taken while there is enough and given up when there is none left, so that deletions, which need some themselves, go on.
 * It is a file of noise, as there are file systems that store nothing for zeros.
 */
final class SpareRoom {
    private static final String FILE = "spare";

    /** Thousands of deletions; of a small disk a sixteenth. */
    private static final long MOST = 8 << 20;

    private static final int BLOCK = 1 << 16;

    private final Path file;

    SpareRoom(DataDirectory directory) {
        this.file = directory.file(FILE);
    }

    /** Gives it up; whether there was any. */
    boolean release() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Takes it, unless it is taken.
     *
     * @throws StorageException if there is not enough room; then nothing is taken
     */
    void take() throws StorageException {
        try {
            long bytes = Math.min(MOST, store().getTotalSpace() / 16);
            if (Files.exists(file) && Files.size(file) >= bytes) {
                return;
            }
            // As much again stays free, so that a client that tries again finds some.
            if (store().getUsableSpace() < 2 * bytes) {
                throw full(null);
            }
            if (!filled(bytes) && release() && store().getUsableSpace() < 2 * bytes) {
                throw full(null);
            }
        } catch (IOException e) {
            throw full(e);
        }
    }

    private FileStore store() throws IOException {
        return Files.getFileStore(file.resolveSibling("."));
    }

    /** Returns whether the file could be filled. Where another bound than the disk's size keeps it from growing, as a quota does, the store goes on without it. */
    private boolean filled(long bytes) {
        try {
            fill(bytes);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void fill(long bytes) throws IOException {
        byte[] noise = new byte[BLOCK];
        new SplittableRandom(bytes).nextBytes(noise);
        try (OutputStream out = Files.newOutputStream(
                file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            for (long left = bytes; left > 0; left -= BLOCK) {
                out.write(noise, 0, (int) Math.min(left, BLOCK));
            }
        }
    }

    private static StorageException full(@Nullable IOException cause) {
        return new StorageException(Kind.FULL, "can't write: no space left", cause);
    }
}
