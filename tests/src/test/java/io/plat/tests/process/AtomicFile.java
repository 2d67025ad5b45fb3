package io.plat.tests.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Atomic replacement of files, as recommended to operators: writing a temporary file, then renaming. */
public final class AtomicFile {
    private AtomicFile() {}

    /**
     * Writes a text to a file.
     *
     * @return the time before it is visible, by {@link System#nanoTime}
     */
    public static long put(Path file, String text) throws IOException {
        // Policy directories ignore such names.
        Path written = Files.writeString(file.resolveSibling("." + file.getFileName() + ".new"), text);
        long now = System.nanoTime();
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return now;
    }
}
