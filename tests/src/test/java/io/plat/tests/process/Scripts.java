package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Scripts that tests write and run. A separate process writes them: a child process that is being started inherits descriptors open for
 * writing in this process, and a file that is open for writing cannot be executed (execve(2), ETXTBSY).
 */
public final class Scripts {
    private Scripts() {}

    /**
     * Writes or replaces a program, with its parent directories.
     *
     * @param script starts with {@code #!}
     * @return the file
     */
    public static Path write(Path file, String script) {
        CompletedProcess written = Command.of(
                        "sh", "-c", "cat > \"$0.new\" && chmod 755 \"$0.new\" && mv \"$0.new\" \"$0\"")
                .with(directoriesMade(file).toString())
                .withInput(script)
                .run();
        if (written.exitStatus() != 0) {
            throw new IllegalStateException(written.err());
        }
        return file;
    }

    /** Copies a program, like {@link #write}. */
    public static Path copy(Path program, Path file) {
        try {
            return write(file, Files.readString(program));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path directoriesMade(Path file) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
