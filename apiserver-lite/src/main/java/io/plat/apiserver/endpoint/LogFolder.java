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
 * A folder that is shown, and nothing outside of it. A name is resolved with all its links and has to end below the folder; then it is
 * walked once more, from an open folder to the next and following no link, so that nobody who may write there can exchange a part of the
 * way for a link in between. What is neither a file nor a folder, such as a pipe, is not there.
 */
final class LogFolder {
    /** How many names of a folder are listed at most. */
    static final int MOST_LISTED = 10_000;

    private final Path folder;

    /** A folder, which may also be a link to one. */
    LogFolder(Path folder) {
        this.folder = folder;
    }

    /** What a name leads to. */
    sealed interface Found permits Folder, File {}

    /**
     * A folder.
     *
     * @param names what is in it, in order; those of folders end with a slash
     * @param complete whether these are all
     */
    record Folder(List<String> names, boolean complete) implements Found {
        Folder {
            names = List.copyOf(names);
        }
    }

    /**
     * A file.
     *
     * @param path where, below the folder, without links
     * @param size how long it is now, in bytes
     * @param modified when it was last written to
     */
    record File(Path path, long size, Instant modified) implements Found {}

    /**
     * What is there.
     *
     * @param below the names from the folder on, separated by slashes; {@code ""} is the folder itself
     * @throws IOException where nothing is, or nothing that may be shown
     */
    Found find(String below) throws IOException {
        Path real = folder.toRealPath();
        Path found = resolved(real, below).toRealPath();
        if (!found.startsWith(real)) {
            throw new NoSuchFileException(below);
        }
        Path path = real.relativize(found);
        return found.equals(real) ? listing(real) : within(path, (parent, name) -> look(parent, name, path));
    }

    private static Path resolved(Path real, String below) throws NoSuchFileException {
        try {
            return real.resolve(below);
        } catch (InvalidPathException e) {
            throw new NoSuchFileException(below, null, e.getReason());
        }
    }

    /**
     * Opens a file that was found.
     *
     * @throws IOException where it is gone, or something else by now
     */
    SeekableByteChannel open(File file) throws IOException {
        return within(file.path(), (parent, name) -> {
            if (!attributes(parent, name).isRegularFile()) {
                throw new NoSuchFileException(name.toString());
            }
            return parent.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        });
    }

    private static Found look(SecureDirectoryStream<Path> parent, Path name, Path path) throws IOException {
        BasicFileAttributes is = attributes(parent, name);
        if (is.isDirectory()) {
            try (SecureDirectoryStream<Path> found = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                return listing(found);
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
            if (names.size() == MOST_LISTED) {
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

    /** Does something with the last name of a way, in the folder that it is in. */
    @FunctionalInterface
    private interface Last<T> {
        T in(SecureDirectoryStream<Path> parent, Path name) throws IOException;
    }

    private <T> T within(Path path, Last<T> last) throws IOException {
        try (SecureDirectoryStream<Path> top = secure(folder.toRealPath())) {
            return descend(top, path, last);
        }
    }

    private static <T> T descend(SecureDirectoryStream<Path> open, Path path, Last<T> last) throws IOException {
        Path name = path.getName(0);
        if (path.getNameCount() == 1) {
            return last.in(open, name);
        }
        try (SecureDirectoryStream<Path> next = open.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            return descend(next, path.subpath(1, path.getNameCount()), last);
        }
    }

    // What is returned is what was opened, and the caller's to close.
    @SuppressWarnings("StreamResourceLeak")
    private static SecureDirectoryStream<Path> secure(Path real) throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(real);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new IOException("files of this system can't be opened one folder after the other");
    }
}
