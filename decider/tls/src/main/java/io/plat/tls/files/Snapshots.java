package io.plat.tls.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** States of watched paths when a change was last reported, and differences since. Not thread-safe. */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final String GENERATION = "..data";

    private final List<Path> paths;
    private final Duration quiet;
    private final Map<Path, Long> writtenUntil = new HashMap<>();
    private Map<Path, FileState> reported;
    private Map<Path, FileState> seen;
    private boolean forgotten;
    /** Start of the time in which changes are held back because a file is being written, in nanoseconds; null if none are. */
    private volatile @Nullable Long heldSince;

    /**
     * Reads the current state.
     *
     * @param quiet how long a file that is written in place must be untouched before its change is reported
     */
    Snapshots(List<Path> paths, Duration quiet) {
        this.paths = paths;
        this.quiet = quiet;
        this.reported = look(Map.of());
        this.seen = reported;
    }

    List<Path> paths() {
        return paths;
    }

    /**
     * Reads the states again.
     *
     * @param burst the preceding events
     * @return the files whose content differs from the last report, or that were created or deleted; none while one of them might be incomplete, as
     * they are read together
     */
    Set<Path> update(Burst burst) {
        Map<Path, FileState> now = look(seen);
        forgotten = false;
        Set<Path> changed = changes(now);
        writtenUntil.keySet().retainAll(changed);
        for (Path path : changed) {
            FileState state = now.get(path);
            FileState before = seen.get(path);
            if (state == null || state.isNothing() || isWhole(path, state, burst)) {
                writtenUntil.remove(path);
            } else if (before == null || !before.isUntouched(state)) {
                writtenUntil.put(path, System.nanoTime());
            }
        }
        seen = now;
        if (!remaining().isZero()) {
            heldSince = Objects.requireNonNullElseGet(heldSince, System::nanoTime);
            return Set.of();
        }
        heldSince = null;
        reported = now;
        writtenUntil.clear();
        return changed;
    }

    private boolean isWhole(Path path, FileState state, Burst burst) {
        FileState before = reported.get(path);
        Path generation = path.resolveSibling(GENERATION);
        try {
            // A symlink in the path now points to other files, which already existed.
            return burst.isWhole(state.real())
                    || (before != null && !before.isNothing() && !before.real().equals(state.real()))
                    || (before == null && state.real().startsWith(generation.toRealPath()));
        } catch (IOException _) {
            // There is no such symlink.
            return false;
        }
    }

    private Set<Path> changes(Map<Path, FileState> now) {
        Set<Path> changed = new HashSet<>();
        for (Map.Entry<Path, FileState> entry : now.entrySet()) {
            FileState before = reported.get(entry.getKey());
            if (before == null || !before.sameContent(entry.getValue())) {
                changed.add(entry.getKey());
            }
        }
        for (Path gone : reported.keySet()) {
            if (!now.containsKey(gone)) {
                changed.add(gone);
            }
        }
        return changed;
    }

    /** Returns whether all files are to be reported again, even without events. */
    boolean isForgotten() {
        return forgotten;
    }

    /** Returns the time until held-back changes are reported if no file is touched; zero if there are none. */
    Duration remaining() {
        long longest = 0;
        for (long written : writtenUntil.values()) {
            longest = Math.max(longest, quiet.toNanos() - (System.nanoTime() - written));
        }
        return Duration.ofNanos(longest);
    }

    /** Returns the time for which changes have been held back because a file is being written; zero if there are none. Thread-safe. */
    Duration held() {
        Long since = heldSince;
        return since == null ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - since);
    }

    /** Returns whether the files are unchanged since they were reported; if not, all of them are reported again. */
    boolean confirm() {
        if (changes(look(reported)).isEmpty()) {
            return true;
        }
        forget();
        return false;
    }

    /** Reports all files again once none is being written. */
    void forget() {
        reported = Map.of();
        seen = Map.of();
        forgotten = true;
    }

    private Map<Path, FileState> look(Map<Path, FileState> before) {
        Map<Path, FileState> states = new TreeMap<>();
        for (Path path : paths) {
            if (Files.isDirectory(path)) {
                lookInto(path, before, states);
            } else {
                states.put(path, FileState.of(path, before.get(path)));
            }
        }
        return states;
    }

    private static void lookInto(Path directory, Map<Path, FileState> before, Map<Path, FileState> states) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                if (FileWatch.isManifest(entry)) {
                    states.put(entry, FileState.of(entry, before.get(entry)));
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            // An unreadable directory is not an empty one: its files keep their state.
            LOG.warn("a directory cannot be read: directory={} cause={}", directory, Objects.toString(e.getMessage()));
            before.forEach((path, state) -> {
                if (directory.equals(path.getParent())) {
                    states.putIfAbsent(path, state);
                }
            });
        }
    }
}
