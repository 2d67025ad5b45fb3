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
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints of changes, from file system events if they are available. They do not identify exactly which files changed: events may be merged, lost or
 * about a link.
 *
 * <p>One thread waits; {@link #close} may be called by another.
 */
final class ChangeSignals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeSignals.class);

    private final Optional<WatchService> service;
    private final Map<Path, Registration> registrations = new HashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Set<Path> wholeDirectories = new HashSet<>();
    private final Set<Path> files = new HashSet<>();
    private final Duration quiet;
    private Burst burst;
    private boolean notified;

    /**
     * Subscription to the events of a directory.
     *
     * @param directory its identity, which its path is not: another directory may have been renamed to it; null if the file system has none
     */
    private record Registration(WatchKey key, @Nullable Object directory) {}

    private ChangeSignals(Optional<WatchService> service, Duration quiet) {
        this.service = service;
        this.quiet = quiet;
        this.burst = newBurst();
    }

    /**
     * Returns the hints, or none if the file system has no events.
     *
     * @param fromFileSystem whether to use file system events
     * @param quiet how long a complete file was not modified
     */
    static ChangeSignals of(boolean fromFileSystem, Duration quiet) {
        return new ChangeSignals(fromFileSystem ? newService() : Optional.empty(), quiet);
    }

    private static Optional<WatchService> newService() {
        try {
            return Optional.of(FileSystems.getDefault().newWatchService());
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("files are polled, as the system does not report changes: cause={}", e.getMessage());
            return Optional.empty();
        }
    }

    private Burst newBurst() {
        return new Burst(file -> FileState.wasWrittenBefore(file, quiet));
    }

    /**
     * Waits for a hint or the time to pass.
     *
     * @return false if this was closed
     */
    boolean await(Duration time) {
        notified = false;
        try {
            if (service.isEmpty()) {
                return !closed.await(time.toNanos(), TimeUnit.NANOSECONDS);
            }
            long begin = System.nanoTime();
            long remaining = time.toNanos();
            // Irrelevant events do not end the wait, which would count as a quiet period.
            while (remaining > 0 && !notified) {
                drain(service.get(), service.get().poll(remaining, TimeUnit.NANOSECONDS));
                remaining = time.toNanos() - (System.nanoTime() - begin);
            }
            return !closed();
        } catch (ClosedWatchServiceException _) {
            return false;
        } catch (InterruptedException _) {
            // No other code has this thread; an interrupt is meant to end it.
            return false;
        }
    }

    private void drain(WatchService watches, @Nullable WatchKey first) {
        for (WatchKey key = first; key != null; key = watches.poll()) {
            take(key);
        }
    }

    private void take(WatchKey key) {
        Path directory = (Path) key.watchable();
        List<WatchEvent<?>> events = key.pollEvents().stream()
                .filter(event ->
                        !(event.context() instanceof Path name) || concerns(directory, directory.resolve(name)))
                .toList();
        notified |= !events.isEmpty();
        burst.add(directory, events);
        key.reset();
    }

    /** Returns whether a file may be relevant: a growing log file in the directory of a policy is not. */
    private boolean concerns(Path directory, Path file) {
        return (wholeDirectories.contains(directory) && FileWatch.isManifest(file))
                || files.contains(file)
                || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Returns the events so far and begins a new burst. */
    Burst endBurst() {
        Burst ended = burst;
        burst = newBurst();
        return ended;
    }

    /** Returns whether all changes since the beginning of the burst were put in place whole. */
    boolean wholeOnly() {
        return burst.isWhole();
    }

    /** Returns whether the last wait ended with a hint. */
    boolean notified() {
        return notified;
    }

    boolean closed() {
        return closed.getCount() == 0;
    }

    /** Subscribes to changes of these paths: of directories themselves, of files' directories, and of the targets of links. */
    void follow(Collection<Path> paths) {
        if (service.isEmpty()) {
            return;
        }
        Set<Path> directories = new HashSet<>();
        wholeDirectories.clear();
        files.clear();
        for (Path path : paths) {
            Path absolute = path.toAbsolutePath();
            add(directories, absolute.getParent());
            add(directories, absolute);
            add(wholeDirectories, absolute);
            named(absolute).ifPresent(files::add);
            resolved(absolute).ifPresent(real -> {
                add(directories, real.getParent());
                files.add(real);
            });
        }
        registrations.entrySet().removeIf(e -> stale(e.getKey(), e.getValue(), directories));
        for (Path directory : directories) {
            if (!registrations.containsKey(directory)) {
                register(service.get(), directory);
            }
        }
    }

    private static void add(Set<Path> directories, @Nullable Path directory) {
        if (directory != null && Files.isDirectory(directory)) {
            resolved(directory).ifPresent(directories::add);
        }
    }

    /** Returns the path under which hints name a file: in its real directory, under its own name. */
    private static Optional<Path> named(Path file) {
        Path directory = file.getParent();
        return directory == null ? Optional.empty() : resolved(directory).map(real -> real.resolve(file.getFileName()));
    }

    private static Optional<Path> resolved(Path path) {
        try {
            return Optional.of(path.toRealPath());
        } catch (IOException _) {
            // Missing at present.
            return Optional.empty();
        }
    }

    private static boolean stale(Path directory, Registration registration, Set<Path> wanted) {
        boolean stale = !registration.key().isValid()
                || !wanted.contains(directory)
                || !Objects.equals(identity(directory), registration.directory());
        if (stale) {
            registration.key().cancel();
        }
        return stale;
    }

    private static @Nullable Object identity(Path directory) {
        try {
            return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        } catch (IOException _) {
            // Missing at present.
            return null;
        }
    }

    private void register(WatchService watches, Path directory) {
        try {
            // Before the registration: if the directory is replaced meanwhile, it is registered again in the next
            // round.
            Object identity = identity(directory);
            WatchKey key = directory.register(
                    watches,
                    StandardWatchEventKinds.ENTRY_CREATE,
                    StandardWatchEventKinds.ENTRY_MODIFY,
                    StandardWatchEventKinds.ENTRY_DELETE);
            registrations.put(directory, new Registration(key, identity));
        } catch (IOException e) {
            LOG.debug("no notifications for {}: {}", directory, e.getMessage());
        } catch (ClosedWatchServiceException _) {
            LOG.debug("closed while subscribing to {}", directory);
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
