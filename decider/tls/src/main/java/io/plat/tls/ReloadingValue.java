package io.plat.tls;

import io.plat.tls.files.FileWatch;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.TrustBundle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A value from PEM files that is reloaded when they change. An invalid one is reported and changes nothing.
 *
 * <p>Safe for use by many threads; {@link #get} is a plain read of a reference.
 *
 * @param <T> an immutable value
 */
public final class ReloadingValue<T> implements Supplier<T>, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadingValue.class);

    private final String what;
    private final Loader<T> loader;
    private final ReloadListener listener;
    private final FileWatch watch;
    private volatile T current;

    /** Loader of a value from its files. */
    @FunctionalInterface
    public interface Loader<T> {
        /**
         * Reads everything.
         *
         * @param last the value in use; empty the first time
         * @throws PemException if the files can't be used
         */
        T load(Optional<T> last) throws PemException;
    }

    private ReloadingValue(Config config, Loader<T> loader) throws PemException {
        this.what = config.what;
        this.loader = loader;
        this.listener = config.listener;
        // The watch records the state of the files before they are read, so that no change in between is missed.
        this.watch = FileWatch.of(what, config.paths(), config.settings, _ -> reload());
        try {
            this.current = loader.load(Optional.empty());
        } catch (PemException e) {
            watch.close();
            throw e;
        }
        watch.start();
    }

    /**
     * Settings.
     *
     * @param what its name in logs and for the listener, for example {@code client-ca}
     * @param sources the sources to watch; inline content never changes
     * @param listener notified of changes
     * @param settings settings of the watch
     */
    public record Config(String what, List<PemSource> sources, ReloadListener listener, FileWatch.Settings settings) {
        public Config {
            sources = List.copyOf(sources);
        }

        /** Creates settings with the default watch. */
        public Config(String what, List<PemSource> sources, ReloadListener listener) {
            this(what, sources, listener, FileWatch.Settings.SELF_CHECKING);
        }

        private List<Path> paths() {
            return sources.stream().flatMap(s -> s.path().stream()).distinct().toList();
        }
    }

    /**
     * Reads the files and begins to watch them.
     *
     * @throws PemException if they are invalid
     */
    public static <T> ReloadingValue<T> open(Config config, Loader<T> loader) throws PemException {
        return new ReloadingValue<>(config, loader);
    }

    /**
     * Opens a trust bundle that is reloaded when its file changes.
     *
     * @throws PemException if it is invalid
     */
    public static ReloadingValue<TrustBundle> trust(String what, PemSource source, ReloadListener listener)
            throws PemException {
        return open(new Config(what, List.of(source), listener), _ -> TrustBundle.read(source));
    }

    @Override
    public T get() {
        return current;
    }

    /**
     * Reads the files now.
     *
     * @return whether their content is in use; if not, the last valid one remains, and log and listener have been notified
     */
    public synchronized boolean reload() {
        try {
            current = loader.load(Optional.of(current));
        } catch (PemException e) {
            LOG.warn(
                    "changed files can't be used, the last good ones stay in effect: what={} problem={}",
                    what,
                    e.getMessage());
            listener.rejected(what, e);
            return false;
        }
        LOG.info("files were reloaded: what={}", what);
        listener.reloaded(what);
        return true;
    }

    /** Stops watching; the value in use remains usable. */
    @Override
    public void close() {
        watch.close();
    }
}
