package io.plat.apiserver.endpoint;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Directory whose files are served, and nothing outside of it. A name is resolved with all its symbolic links and must end below the
 * directory; then the path is opened again step by step without following links, so that no step can be replaced by a link in between.
 * Anything but files and directories, such as pipes, is treated as absent.
 */
record LogDirectory(Path folder) {
    /** Maximum number of listed names. */
    static final int MAX_LISTED = 10_000;

    /** Result of a lookup. */
    sealed interface Node permits Folder, File {}

    /**
     * Directory.
     *
     * @param names its entries in order; names of directories end with a slash
     */
    record Folder(List<String> names, boolean complete) implements Node {
        Folder {
            names = List.copyOf(names);
        }
    }

    /**
     * File.
     *
     * @param path path below the folder, without links
     * @param size current size in bytes
     */
    record File(Path path, long size, Instant modified) implements Node {}

    /**
     * Looks up a name.
     *
     * @param below path relative to the folder; {@code ""} is the folder itself
     * @throws IOException if it does not exist or must not be served
     */
    Node find(String below) throws IOException {
        Path real = folder.toRealPath();
        Path resolved = resolved(real, below).toRealPath();
        if (!resolved.startsWith(real)) {
            throw new NoSuchFileException(below);
        }
        Path path = real.relativize(resolved);
        return resolved.equals(real) ? listing(real) : within(path, (parent, name) -> look(parent, name, path));
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
        return within(file.path(), (parent, name) -> {
            if (!attributes(parent, name).isRegularFile()) {
                throw new NoSuchFileException(name.toString());
            }
            return parent.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        });
    }

    private static Node look(SecureDirectoryStream<Path> parent, Path name, Path path) throws IOException {
        BasicFileAttributes is = attributes(parent, name);
        if (is.isDirectory()) {
            try (SecureDirectoryStream<Path> entries = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                return listing(entries);
            }
        }
        if (!is.isRegularFile()) {
            throw new NoSuchFileException(path.toString());
        }
        return new File(path, is.size(), is.lastModifiedTime().toInstant());
    }

    private static BasicFileAttributes attributes(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }

    private static Folder listing(Path real) throws IOException {
        try (SecureDirectoryStream<Path> top = secure(real)) {
            return listing(top);
        }
    }

    private static Folder listing(SecureDirectoryStream<Path> open) throws IOException {
        List<String> names = new ArrayList<>();
        for (Path entry : open) {
            if (names.size() == MAX_LISTED) {
                return new Folder(names.stream().sorted().toList(), false);
            }
            Path name = entry.getFileName();
            names.add(isFolder(open, name) ? name + "/" : name.toString());
        }
        return new Folder(names.stream().sorted().toList(), true);
    }

    private static boolean isFolder(SecureDirectoryStream<Path> open, Path name) {
        try {
            return attributes(open, name).isDirectory();
        } catch (IOException goneMeanwhile) {
            return false;
        }
    }

    /** Operation on the last name of a path in its directory. */
    @FunctionalInterface
    private interface Action<T> {
        T in(SecureDirectoryStream<Path> parent, Path name) throws IOException;
    }

    private <T> T within(Path path, Action<T> last) throws IOException {
        try (SecureDirectoryStream<Path> top = secure(folder.toRealPath())) {
            return descend(top, path, last);
        }
    }

    private static <T> T descend(SecureDirectoryStream<Path> open, Path path, Action<T> last) throws IOException {
        Path name = path.getName(0);
        if (path.getNameCount() == 1) {
            return last.in(open, name);
        }
        try (SecureDirectoryStream<Path> next = open.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            return descend(next, path.subpath(1, path.getNameCount()), last);
        }
    }

    // The result is what was opened, and is closed by the caller.
    @SuppressWarnings("StreamResourceLeak")
    private static SecureDirectoryStream<Path> secure(Path real) throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(real);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new IOException("this system does not support opening files relative to a directory");
    }
}
