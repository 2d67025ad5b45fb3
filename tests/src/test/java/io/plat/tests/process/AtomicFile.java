package io.plat.tests.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** Files that change whole, as those who operate servers are told to change them: written beside, then renamed. */
public final class ReplacedFile {
    private ReplacedFile() {}

    /**
     * Puts a text in a file's place, whether there was one or not.
     *
     * @return the moment before it is there, by {@link System#nanoTime}
     */
    public static long put(Path file, String text) throws IOException {
        // Folders of policy leave such names out.
        Path written = Files.writeString(file.resolveSibling("." + file.getFileName() + ".new"), text);
        long now = System.nanoTime();
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return now;
    }
}
