package io.plat.apiserver.podlog;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;

/**
 * Directory below which paths are opened name by name without following links, so that no name can be replaced by a link in between.
 *
 * @param root resolved path of the directory
 */
public record SecureDirectory(Path root) {
    /** Operation on the last name of a path in its directory, which is open meanwhile. */
    @FunctionalInterface
    public interface Operation<T> {
        T run(SecureDirectoryStream<Path> parent, Path name) throws IOException;
    }

    /**
     * Opens the directory itself. To be closed by the caller.
     *
     * @throws IOException if that fails, or this system does not support opening files relative to a directory
     */
    @SuppressWarnings("StreamResourceLeak") // The result is what was opened.
    public SecureDirectoryStream<Path> open() throws IOException {
        DirectoryStream<Path> opened = Files.newDirectoryStream(root);
        if (opened instanceof SecureDirectoryStream<Path> secure) {
            return secure;
        }
        opened.close();
        throw new IOException("this system does not support opening files relative to a directory");
    }

    /**
     * Opens a file for reading.
     *
     * @param path path relative to the directory, without links
     * @throws NoSuchFileException if there is no regular file
     */
    public SeekableByteChannel open(Path path) throws IOException {
        return run(path, (parent, name) -> {
            if (!attributes(parent, name).isRegularFile()) {
                throw new NoSuchFileException(name.toString());
            }
            return parent.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        });
    }

    /** Runs an operation on a path relative to the directory, without links. */
    public <T> T run(Path path, Operation<T> operation) throws IOException {
        try (SecureDirectoryStream<Path> top = open()) {
            return descend(top, path, operation);
        }
    }

    private static <T> T descend(SecureDirectoryStream<Path> open, Path path, Operation<T> operation)
            throws IOException {
        Path name = path.getName(0);
        if (path.getNameCount() == 1) {
            return operation.run(open, name);
        }
        try (SecureDirectoryStream<Path> next = open.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
            return descend(next, path.subpath(1, path.getNameCount()), operation);
        }
    }

    /** Returns the attributes of a name in an open directory, without following links. */
    public static BasicFileAttributes attributes(SecureDirectoryStream<Path> parent, Path name) throws IOException {
        return parent.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
                .readAttributes();
    }
}
