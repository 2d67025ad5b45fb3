package io.plat.tls.files;

import io.plat.process.BackgroundLoop;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Watch of files and directories that calls back when their content changed.
 *
 * <p>A directory means the regular files directly in it (following links, without subdirectories); a path that does not exist is watched for its creation.
 * Changes of time, mode or owner alone are ignored. Calls are made sequentially by one daemon thread, and not before the files were quiet for the
 * debounce, or had been changing for ten times that; for files that were put in place whole a shorter one may be set.
 *
 * <p>Callers create the watch, read the files and then start it: changes are reported relative to the state at its creation, so that none is lost
 * in between. A file can still change while the callback reads it, which is followed by another call; its content may be incomplete and
 * has to be validated accordingly.
 */
public final class FileWatch implements AutoCloseable {
    /** Number of debounces after which the callback is called even if a file keeps changing. */
    private static final int MAX_DEBOUNCES = 10;

    private static final List<String> ENDINGS = List.of(".yaml", ".yml", ".json");

    private final Settings settings;
    private final ChangeListener listener;
    private final Snapshots snapshots;
    private final ChangeSignals signals;
    private final BackgroundLoop loop;
    /** Paths whose change the listener has not handled yet; confined to the loop's thread. */
    private final Set<Path> unnotified = new HashSet<>();

    private final AtomicBoolean started = new AtomicBoolean();

    @FunctionalInterface
    public interface ChangeListener {
        /**
         * Handles changed content. After an exception the same paths are passed to the next call.
         *
         * @param paths the files that were changed, created or deleted, named below the watched paths; never empty
         */
        void changed(Set<Path> paths);
    }

    /**
     * Settings of a watch.
     *
     * @param debounce how long files must be quiet before the callback
     * @param interval the polling interval without events
     * @param notified whether file system events are used
     * @param whole the debounce of files that were put in place whole: by a rename within their directory, or by one from another directory after they
     *     had been quiet for the debounce
     * @param quiet how long a file that was not put in place whole must be untouched before the callback, regardless of events
     */
    public record Settings(Duration debounce, Duration interval, boolean notified, Duration whole, Duration quiet) {
        /**
         * Quiet for a tenth of a second, also for files that belong together and are renamed one by one; polled every five seconds. Only for
         * formats in which a part of a file is invalid or permits less than the whole file: certificates and JSON.
         */
        public static final Settings SELF_CHECKING = new Settings(Duration.ofMillis(100), Duration.ofSeconds(5), true);

        /**
         * Returns the same settings, except that a file that is put in place whole is reported at once, and any other one once it was untouched for
         * this long.
         */
        public static Settings prompt(Duration quiet) {
            return new Settings(SELF_CHECKING.debounce, SELF_CHECKING.interval, true, Duration.ofMillis(3), quiet);
        }

        /** Creates settings with the same debounce for all files. */
        public Settings(Duration debounce, Duration interval, boolean notified) {
            this(debounce, interval, notified, debounce, Duration.ZERO);
        }

        public Settings {
            if (debounce.isNegative() || whole.isNegative() || quiet.isNegative() || !interval.isPositive()) {
                throw new IllegalArgumentException("the debounce is not negative and the interval is positive");
            }
        }
    }

    /**
     * Creates a watch with the present state of the paths; it has to be started.
     *
     * @param name its name for the thread
     * @param paths files and directories, which need not exist
     */
    public FileWatch(String name, Collection<Path> paths, Settings settings, ChangeListener listener) {
        this.settings = settings;
        this.listener = listener;
        List<Path> watched = List.copyOf(paths);
        this.signals = ChangeSignals.of(settings.notified(), settings.debounce());
        // Events first: changes after the snapshot are then certain to be seen.
        signals.follow(watched);
        this.snapshots = new Snapshots(watched, settings.quiet());
        this.loop = BackgroundLoop.platform("watch-" + name, this::round);
    }

    /** Returns whether a file in a watched directory is relevant: log or lock files next to the manifests do not delay their changes. */
    public static boolean isManifest(Path file) {
        String name = Objects.toString(file.getFileName());
        return !name.startsWith(".") && ENDINGS.stream().anyMatch(name::endsWith) && !Files.isDirectory(file);
    }

    /** Starts calling back; a second call has no effect. */
    public void start() {
        if (started.compareAndSet(false, true)) {
            loop.start();
        }
    }

    /** Makes the watch report all files once after the start, as if they had just been written. Must be called before it. */
    public void recheck() {
        snapshots.forget();
    }

    /**
     * Returns whether the files are unchanged since the callback began, so that its reads are consistent. If not, all of them are reported
     * again. Must be called by the callback.
     */
    public boolean confirm() {
        return snapshots.confirm();
    }

    /**
     * Returns whether changes have been held back for long, because a file is written continually: the last content read is not current. Thread-safe.
     */
    public boolean isHeldBack() {
        return snapshots.held().compareTo(settings.quiet().multipliedBy(MAX_DEBOUNCES)) > 0;
    }

    private Duration round() {
        if (!unnotified.isEmpty() || signals.await(waitTime())) {
            settle();
            Burst burst = signals.endBurst();
            signals.follow(snapshots.paths());
            unnotified.addAll(snapshots.update(burst));
            if (!unnotified.isEmpty() && !signals.closed()) {
                listener.changed(Set.copyOf(unnotified));
                unnotified.clear();
            }
        }
        return BackgroundLoop.NONE;
    }

    private Duration waitTime() {
        if (snapshots.isForgotten()) {
            return Duration.ZERO;
        }
        Duration remaining = snapshots.remaining();
        return remaining.isZero() || remaining.compareTo(settings.interval()) > 0 ? settings.interval() : remaining;
    }

    /** Waits until there are no more events, within limits. */
    private void settle() {
        long begin = System.nanoTime();
        long bound = settings.debounce().toNanos() * MAX_DEBOUNCES;
        while (signals.notified() && System.nanoTime() - begin < bound) {
            signals.await(signals.wholeOnly() ? settings.whole() : settings.debounce());
        }
    }

    /** Stops the watch: no callback starts after this returns, unless the callback itself closes the watch. */
    @Override
    public void close() {
        loop.finish();
        signals.close();
        if (!loop.isCurrentThread()) {
            loop.join();
        }
    }
}
