package io.plat.http.process;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Log files of a server in a directory, in addition to stderr: the current one, and a few rotated ones. */
public record DirectoryLog(RollingFileAppender<ILoggingEvent> file) implements AutoCloseable {
    private static final FileSize MAX_FILE_SIZE = FileSize.valueOf("20MB");
    private static final int MAX_FULL = 5;

    /**
     * Adds a log file, until closed.
     *
     * @param directory an existing directory
     * @param program the prefix of the file's name
     * @throws IOException if the directory is not writable; its message is one line for the user
     */
    public static DirectoryLog begin(Path directory, String program) throws IOException {
        if (!Files.isDirectory(directory)) {
            throw new NotDirectoryException("\"" + directory + "\" is not a directory");
        }
        if (!Files.isWritable(directory)) {
            throw new IOException("\"" + directory + "\" cannot be written to");
        }
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        RollingFileAppender<ILoggingEvent> file = new OwnersFile();
        file.setContext(context);
        file.setFile(directory.resolve(program + ".log").toString());
        file.setEncoder(ProcessLogging.encoder(context));
        SizeBasedTriggeringPolicy<ILoggingEvent> full = new SizeBasedTriggeringPolicy<>();
        full.setContext(context);
        full.setMaxFileSize(MAX_FILE_SIZE);
        full.start();
        FixedWindowRollingPolicy kept = new FixedWindowRollingPolicy();
        kept.setContext(context);
        kept.setParent(file);
        kept.setFileNamePattern(directory.resolve(program + ".%i.log").toString());
        kept.setMaxIndex(MAX_FULL);
        kept.start();
        file.setTriggeringPolicy(full);
        file.setRollingPolicy(kept);
        file.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(file);
        return new DirectoryLog(file);
    }

    /** Log file that, like its successors, only its owner can read. */
    private static final class OwnersFile extends RollingFileAppender<ILoggingEvent> {
        private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rw-------");

        @Override
        public void openFile(String name) throws IOException {
            Path path = Path.of(name);
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                try {
                    Files.createFile(path, PosixFilePermissions.asFileAttribute(OWNER));
                } catch (FileAlreadyExistsException earlier) {
                    Files.setPosixFilePermissions(path, OWNER);
                }
            }
            super.openFile(name);
        }
    }

    @Override
    public void close() {
        ((LoggerContext) file.getContext()).getLogger(Logger.ROOT_LOGGER_NAME).detachAppender(file);
        file.stop();
    }
}
