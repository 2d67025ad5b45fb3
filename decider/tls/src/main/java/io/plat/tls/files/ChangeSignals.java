package io.plat.tls.files;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints that something may have changed, from the file system where it gives any. What exactly changed is not asked of it: events
 * may be merged, lost or be about a link.
 *
 * <p>One thread waits; {@link #close} may be called by another.
 */
final class ChangeSignals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeSignals.class);

    private final Optional<WatchService> service;
    private final Map<Path, WatchKey> keys = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<Path> wholeFolders = new HashSet<>();
    private final Set<Path> files = new HashSet<>();
    private final Duration quiet;
    private Burst burst;
    private boolean notified;

    private ChangeSignals(Optional<WatchService> service, Duration quiet) {
        this.service = service;
        this.quiet = quiet;
        this.burst = newBurst();
    }

    /**
     * Hints, or none where the file system gives none.
     *
     * @param fromFileSystem whether the file system is asked for them
     * @param quiet how long a file has not to be written to for being complete
     */
    static ChangeSignals of(boolean fromFileSystem, Duration quiet) {
        return new ChangeSignals(fromFileSystem ? newService() : Optional.empty(), quiet);
    }

    private static Optional<WatchService> newService() {
        try {
            return Optional.of(FileSystems.getDefault().newWatchService());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("no notifications of changed files, looking at them regularly instead: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private Burst newBurst() {
        return new Burst(file -> FileState.cameWritten(file, quiet));
    }

    /**
     * Waits for a hint or the time to pass.
     *
     * @return false where this was closed
     */
    boolean await(Duration time) {
        notified = false;
        try {
            if (service.isEmpty()) {
                return !closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            }
            long begin = System.nanoTime();
            long left = time.toNanos();
            // What is of no concern does not end the wait: it would pass for quiet.
            while (left > 0 && !notified) {
                drain(service.get(), service.get().poll(left, TimeUnit.NANOSECONDS));
                left = time.toNanos() - (System.nanoTime() - begin);
            }
            return !closed();
        } catch (ClosedWatchServiceException _) {
            return false;
        } catch (InterruptedException _) {
            // Nobody else knows this thread; whoever interrupts it wants it to end.
            return false;
        }
    }

    private void drain(WatchService watches, @Nullable WatchKey first) {
        for (WatchKey key = first; key != null; key = watches.poll()) {
            take(key);
        }
    }

    private void take(WatchKey key) {
        Path folder = (Path) key.watchable();
        List<WatchEvent<?>> events = key.pollEvents().stream()
                .filter(event -> !(event.context() instanceof Path name) || concerns(folder, folder.resolve(name)))
                .toList();
        notified |= !events.isEmpty();
        burst.add(folder, events);
        key.reset();
    }

    /** Whether a file can have to do with what is followed: a log that grows beside a policy does not. */
    private boolean concerns(Path folder, Path file) {
        return wholeFolders.contains(folder)
                || files.contains(file)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Begins to collect anew, and returns what was hinted at. */
    Burst endBurst() {
        Burst ended = burst;
        burst = newBurst();
        return ended;
    }

    /** Whether everything that was hinted at since the beginning of the burst was put in place whole. */
    boolean wholeOnly() {
        return burst.isWhole();
    }

    /** Whether the last wait ended with a hint. */
    boolean notified() {
        return notified;
    }

    boolean closed() {
        return closed.getCount() == 0;
    }

    /** Listens where changes of these paths would show: in folders themselves, in files' folders, and where links lead. */
    void follow(Collection<Path> paths) {
        if (service.isEmpty()) {
            return;
        }
        Set<Path> folders = new HashSet<>();
        wholeFolders.clear();
        files.clear();
        for (Path path : paths) {
            Path absolute = path.toAbsolutePath();
            add(folders, absolute.getParent());
            add(folders, absolute);
            add(wholeFolders, absolute);
            named(absolute).ifPresent(files::add);
            resolved(absolute).ifPresent(real -> {
                add(folders, real.getParent());
                files.add(real);
            });
        }
        keys.entrySet().removeIf(e -> stale(e.getKey(), e.getValue(), folders));
        for (Path folder : folders) {
            if (!keys.containsKey(folder)) {
                register(service.get(), folder);
            }
        }
    }

    private static void add(Set<Path> folders, @Nullable Path folder) {
        if (folder != null && Files.isDirectory(folder)) {
            resolved(folder).ifPresent(folders::add);
        }
    }

    /** A file as a hint names it: in its real folder, under its own name. */
    private static Optional<Path> named(Path file) {
        Path folder = file.getParent();
        return folder == null ? Optional.empty() : resolved(folder).map(real -> real.resolve(file.getFileName()));
    }

    private static Optional<Path> resolved(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException _) {
            // Not there, for the moment.
            return Optional.empty();
        }
    }

    private static boolean stale(Path folder, WatchKey key, Set<Path> wanted) {
        boolean stale = !key.isValid() || !wanted.contains(folder);
        if (stale) {
            key.cancel();
        }
        return stale;
    }

    private void register(WatchService watches, Path folder) {
        try {
            WatchKey key = folder.register(
                    watches,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            keys.put(folder, key);
        } catch (IOException e) {
            LOG.debug("no notifications for {}: {}", folder, e.getMessage());
        } catch (ClosedWatchServiceException _) {
            LOG.debug("closed while looking at {}", folder);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        if (service.isPresent()) {
            try {
                service.get().close();
            } catch (IOException e) {
                LOG.debug("closing the notifications: {}", e.getMessage());
            }
        }
    }
}
