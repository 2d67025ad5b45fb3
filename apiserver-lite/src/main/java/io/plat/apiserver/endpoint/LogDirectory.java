package io.plat.apiserver.endpoint;

import io.plat.apiserver.podlog.SecureDirectory;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Directory whose files are served, and nothing outside of it. A name is resolved with all its symbolic links and must end below the
 * directory; then the path is opened again without following links ({@link SecureDirectory}). Anything but files and directories, such as
 * pipes, is treated as absent.
 */
record LogDirectory(Path path) {
    static final int MAX_LISTED = 10_000;

    sealed interface Node permits Listing, File {}

    /**
     * Listing of a directory.
     *
     * @param names entries in order; names of directories end with a slash
     */
    record Listing(List<String> names, boolean complete) implements Node {
        Listing {
            names = List.copyOf(names);
        }
    }

    /**
     * File.
     *
     * @param path path relative to the directory, without links
     * @param size current size in bytes
     */
    record File(Path path, long size, Instant modified) implements Node {}

    /**
     * Looks up a name.
     *
     * @param below path relative to the directory; {@code ""} is the directory itself
     * @throws IOException if it does not exist or must not be served
     */
    Node find(String below) throws IOException {
        Path root = path.toRealPath();
        Path resolved = resolved(root, below).toRealPath();
        if (!resolved.startsWith(root)) {
            throw new NoSuchFileException(below);
        }
        var directory = new SecureDirectory(root);
        if (resolved.equals(root)) {
            try (SecureDirectoryStream<Path> entries = directory.open()) {
                return listing(entries);
            }
        }
        Path file = root.relativize(resolved);
        return directory.run(file, (parent, name) -> look(parent, name, file));
    }

    private static Path resolved(Path real, String below) throws NoSuchFileException {
        try {
            return real.resolve(below);
        } catch (InvalidPathException e) {
            throw new NoSuchFileException(below, null, e.getReason());
        }
    }

    /**
     * Opens a file that was looked up.
     *
     * @throws IOException if it was removed or replaced
     */
    SeekableByteChannel open(File file) throws IOException {
        return new SecureDirectory(path.toRealPath()).open(file.path());
    }

    private static Node look(SecureDirectoryStream<Path> parent, Path name, Path path) throws IOException {
        BasicFileAttributes attributes = SecureDirectory.attributes(parent, name);
        if (attributes.isDirectory()) {
            try (SecureDirectoryStream<Path> entries = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                return listing(entries);
            }
        }
        if (!attributes.isRegularFile()) {
            throw new NoSuchFileException(path.toString());
        }
        return new File(path, attributes.size(), attributes.lastModifiedTime().toInstant());
    }

    private static Listing listing(SecureDirectoryStream<Path> open) throws IOException {
        List<String> names = new ArrayList<>();
        for (Path entry : open) {
            if (names.size() == MAX_LISTED) {
                return new Listing(names.stream().sorted().toList(), false);
            }
            Path name = entry.getFileName();
            names.add(isDirectory(open, name) ? name + "/" : name.toString());
        }
        return new Listing(names.stream().sorted().toList(), true);
    }

    private static boolean isDirectory(SecureDirectoryStream<Path> open, Path name) {
        try {
            return SecureDirectory.attributes(open, name).isDirectory();
        } catch (IOException removed) {
            return false;
        }
    }
}
