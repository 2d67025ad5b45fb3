package io.plat.tls.files;

import java.nio.file.Path;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Value read from files, and reloaded when they change. Invalid files are reported, and the last good value stays in use.
 *
 * <p>Thread-safe; {@link #get} is a plain read of a reference.
 *
 * @param <T> an immutable value
 */
public final class WatchedFiles<T> implements Supplier<T>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

    private final FileWatch watch;
    private volatile T value;

    /** Reader of a value from its files. */
    @FunctionalInterface
    public interface Reader<T, E extends Exception> {
        /**
         * Reads the value.
         *
         * @param last the value in use; empty the first time
         * @throws E if a file is invalid; the message contains no secret
         */
        T read(Optional<T> last) throws E;
    }

    /**
     * Reads the files and starts watching them.
     *
     * @param name contents of the files, for logs and the thread name
     * @param reloaded notified of each reload: of the problem of invalid files, or of {@code ""}
     * @throws E if a file is invalid
     */
    public <E extends Exception> WatchedFiles(
            String name,
            Collection<Path> files,
            FileWatch.Settings settings,
            Reader<T, E> reader,
            Consumer<String> reloaded)
            throws E {
        // The watch records the state of the files before they are read, so that no change in between is missed.
        watch = new FileWatch(name, files, settings, changed -> reload(name, reader, reloaded));
        try {
            value = reader.read(Optional.empty());
        } catch (Exception unusable) {
            watch.close();
            throw unusable;
        }
        watch.start();
    }

    private <E extends Exception> void reload(String name, Reader<T, E> reader, Consumer<String> reloaded) {
        try {
            T read = reader.read(Optional.of(value));
            if (!watch.confirm()) {
                // Written again meanwhile, perhaps partially: it is read once it is quiet.
                return;
            }
            value = read;
            LOG.info("files were reloaded: what={}", name);
            reloaded.accept("");
        } catch (RuntimeException bug) {
            throw bug;
        } catch (Exception unusable) {
            String problem = Objects.toString(unusable.getMessage());
            LOG.warn(
                    "changed files cannot be used, the last good ones stay in effect: what={} problem={}",
                    name,
                    problem);
            reloaded.accept(problem);
        }
    }

    @Override
    public T get() {
        return value;
    }

    /** Stops watching the files; the value in use remains usable. */
    @Override
    public void close() {
        watch.close();
    }
}
