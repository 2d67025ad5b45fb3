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
 * Disk space reserved while there is enough, and released on a full disk, so that deletions, which need some themselves, continue. The
 * file contains noise, as some file systems store no zeros.
 */
final class ReservedSpace {

    /** Enough for thousands of deletions; a sixteenth of a small disk. */
    private static final long MAX_BYTES = 8 << 20;

    private static final int BLOCK = 1 << 16;

    private final Path file;

    ReservedSpace(DataDirectory directory) {
        this.file = directory.file("spare");
    }

    /** Releases the space; returns whether there was any. */
    boolean release() {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reserves the space, unless it is reserved.
     *
     * @throws StorageException if there is not enough space; then nothing is reserved
     */
    void take() throws StorageException {
        try {
            long bytes = Math.min(MAX_BYTES, store().getTotalSpace() / 16);
            if (Files.exists(file) && Files.size(file) >= bytes) {
                return;
            }
            // The same amount stays free, so that a retrying client finds some.
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

    /**
     * Returns whether the file was filled. If another limit than the disk's size prevents that, such as a quota, the store continues
     * without it.
     */
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
            for (long remaining = bytes; remaining > 0; remaining -= BLOCK) {
                out.write(noise, 0, (int) Math.min(remaining, BLOCK));
            }
        }
    }

    private static StorageException full(@Nullable IOException cause) {
        return new StorageException(Kind.FULL, "cannot write: no space left", cause);
    }
}
