package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Scripts that tests write and run. A process of its own writes them: what this one has open for writing, a child of another test that
 * is just being started has open too, and no file can be run while anybody may write to it (execve(2), ETXTBSY).
 */
public final class Scripts {
    private Scripts() {}

    /**
     * Writes a program and the folders it is in; another in its place is replaced.
     *
     * @param script begins with {@code #!}
     * @return the file
     */
    public static Path write(Path file, String script) {
        Finished written = Command.of("sh", "-c", "cat > \"$0.new\" && chmod 755 \"$0.new\" && mv \"$0.new\" \"$0\"")
                .with(foldersMade(file).toString())
                .withInput(script)
                .run();
        if (written.exitStatus() != 0) {
            throw new IllegalStateException(written.err());
        }
        return file;
    }

    /** Copies a program, as {@link #write} writes one. */
    public static Path copy(Path program, Path file) {
        try {
            return write(file, Files.readString(program));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path foldersMade(Path file) {
        try {
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
