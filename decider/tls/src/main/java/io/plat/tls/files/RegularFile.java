package io.plat.tls.files;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Opener of files that a running server reads again: opening a pipe that nobody writes to would never return. */
public final class RegularFile {
    /** Open files of this process, such as a shell's process substitution, and the one device that never blocks. */
    private static final List<Path> ADMITTED =
            List.of(Path.of("/dev/fd"), Path.of("/proc/self/fd"), Path.of("/dev/stdin"), Path.of("/dev/null"));

    private RegularFile() {}

    /**
     * Opens a file for reading.
     *
     * @throws IOException if it does not exist, cannot be read, or is a pipe, a socket or a device
     */
    public static SeekableByteChannel open(Path file) throws IOException {
        if (Files.readAttributes(file, BasicFileAttributes.class).isOther()
                && ADMITTED.stream().noneMatch(file.toAbsolutePath()::startsWith)) {
            throw new FileSystemException("is not a regular file");
        }
        return Files.newByteChannel(file);
    }
}
