package io.plat.http.lines;

import io.plat.process.LogRateLimit;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Settings of a log file.
 *
 * @param path the file; {@link #STDOUT} for stdout, or an existing path that is not a regular file, such as a named pipe
 * @param maxBytes maximum size before it is rotated
 * @param maxBackups maximum number of rotated files; 0 is unlimited
 * @param maxAge maximum age of rotated files; zero is unlimited
 */
public record LogFile(Path path, long maxBytes, int maxBackups, Duration maxAge) {
    /** Path that means stdout. */
    public static final Path STDOUT = Path.of("-");

    private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);

    public LogFile {
        if (maxBytes <= 0 || maxBackups < 0 || maxAge.isNegative()) {
            throw new IllegalArgumentException(
                    "no such file: " + maxBytes + " bytes, " + maxBackups + " kept for " + maxAge);
        }
    }

    /**
     * Opens the destination.
     *
     * @param log the name of the log in messages, such as {@code decision log}
     * @throws IOException if it is not writable; the message is one line for the user
     */
    public LineSink open(String log, InstantSource clock) throws IOException {
        if (path.equals(STDOUT)) {
            return LineStream.stdout();
        }
        if (Files.isDirectory(path)) {
            throw new IOException("\"" + path + "\" is a directory, expected a file");
        }
        if (LineStream.isStream(path)) {
            return LineStream.to(path);
        }
        LogRateLimit quiet = new LogRateLimit(System::nanoTime);
        try {
            Backups backups = new Backups(path, maxBackups, maxAge, clock);
            return new RotatingFile(
                    path,
                    maxBytes,
                    backups,
                    cause -> quiet.unlessRecent(
                            () -> LOG.error("a full log file could not be rotated: log={} cause={}", log, cause)));
        } catch (IOException unusable) {
            throw new IOException(problem(unusable), unusable);
        }
    }

    /** Returns the problem with a file in one line. */
    static String problem(IOException failed) {
        return switch (failed) {
            case NoSuchFileException missing -> quoted(missing) + "no such file or directory";
            case AccessDeniedException denied -> quoted(denied) + "permission denied";
            case FileSystemException other ->
                quoted(other) + Objects.requireNonNullElse(other.getReason(), "cannot be used");
            default -> String.valueOf(failed.getMessage());
        };
    }

    private static String quoted(FileSystemException failed) {
        return "\"" + failed.getFile() + "\": ";
    }
}
