package io.plat.tests.process;

import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout of the tests, with launchers and samples. */
public final class Checkout {
    private static final Path ROOT = find();

    private Checkout() {}

    /** Returns the top directory. */
    public static Path root() {
        return ROOT;
    }

    /** Returns a file or directory, by its path from the top. */
    public static Path path(String relative) {
        return ROOT.resolve(relative);
    }

    private static Path find() {
        for (Path directory = Path.of("").toAbsolutePath(); directory != null; directory = directory.getParent()) {
            if (Files.isDirectory(directory.resolve("conf/samples"))
                    && Files.isDirectory(directory.resolve("decider"))) {
                return directory;
            }
        }
        throw new IllegalStateException("the tests run from within a checkout");
    }
}
