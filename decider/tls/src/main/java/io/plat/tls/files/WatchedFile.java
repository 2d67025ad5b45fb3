package io.plat.tls.files;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Value read from a file, and reloaded when the file changes. An invalid file is reported, and the last good value stays in use.
 *
 * @param <T> the value
 */
public final class WatchedFile<T> implements Supplier<T>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFile.class);

    private final FileWatch watch;
    private volatile T value;

    /** Reader of a value from its file. */
    @FunctionalInterface
    public interface Reader<T, E extends Exception> {
        /**
         * Reads the value.
         *
         * @throws E if the file is invalid; the message contains no secret
         */
        T read() throws E;
    }

    /**
     * Reads the file and starts watching it.
     *
     * @param name contents of the file, for logs and the thread name
     * @param reloaded notified of each reload and whether it succeeded
     * @throws E if it is invalid
     */
    public <E extends Exception> WatchedFile(
            String name, Path file, FileWatch.Settings settings, Reader<T, E> reader, Consumer<Boolean> reloaded)
            throws E {
        watch = FileWatch.of(name, List.of(file), settings, changed -> reload(name, file, reader, reloaded));
        try {
            value = reader.read();
        } catch (Exception unusable) {
            watch.close();
            throw unusable;
        }
        watch.start();
    }

    private <E extends Exception> void reload(String name, Path file, Reader<T, E> reader, Consumer<Boolean> reloaded) {
        try {
            T read = reader.read();
            if (!watch.confirm()) {
                // Written again meanwhile, perhaps partially: it is read once it is quiet.
                return;
            }
            value = read;
            LOG.info("a file was reloaded: file={}", file);
            reloaded.accept(true);
        } catch (RuntimeException bug) {
            throw bug;
        } catch (Exception unusable) {
            LOG.warn(
                    "a changed file is invalid, the last good one stays in effect: what={} problem={}",
                    name,
                    unusable.getMessage());
            reloaded.accept(false);
        }
    }

    @Override
    public T get() {
        return value;
    }

    /** Stops watching the file. */
    @Override
    public void close() {
        watch.close();
    }
}
