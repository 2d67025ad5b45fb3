package io.plat.tls.files;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
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
    private boolean notified;

    private ChangeSignals(Optional<WatchService> service) {
        this.service = service;
    }

    static ChangeSignals of(boolean fromFileSystem) {
        if (!fromFileSystem) {
            return new ChangeSignals(Optional.empty());
        }
        try {
            return new ChangeSignals(Optional.of(FileSystems.getDefault().newWatchService()));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.warn("no notifications of changed files, looking at them regularly instead: {}", e.getMessage());
            return new ChangeSignals(Optional.empty());
        }
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
            WatchKey key = service.get().poll(time.toNanos(), TimeUnit.NANOSECONDS);
            while (key != null) {
                notified = true;
                key.pollEvents();
                key.reset();
                key = service.get().poll();
            }
            return !closed();
        } catch (ClosedWatchServiceException _) {
            return false;
        } catch (InterruptedException _) {
            // Nobody else knows this thread; whoever interrupts it wants it to end.
            return false;
        }
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
        for (Path path : paths) {
            Path absolute = path.toAbsolutePath();
            add(folders, absolute.getParent());
            add(folders, absolute);
            resolved(absolute).ifPresent(real -> add(folders, real.getParent()));
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
