package io.plat.tls.files;

import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * File system events of a burst of changes: whether files were put in place whole, or may be half written.
 *
 * <p>A file that is renamed within its directory appears as a deleted name, directly followed by a created one. Its content was written under the
 * other name, so that it is complete, unless it was modified afterwards. One that is moved from another directory appears as a created name, and
 * its times show that it was not written just now. Any other created name is a file that may still be written. Not thread-safe.
 */
final class Burst {
    private final Set<Path> unfinished = new HashSet<>();
    private final Set<Path> finished = new HashSet<>();
    private final Map<Path, Path> lastGone = new HashMap<>();
    private final Predicate<Path> complete;
    private boolean arrived;
    private boolean lost;

    /**
     * Creates an empty burst.
     *
     * @param complete whether a new file was written before it appeared
     */
    Burst(Predicate<Path> complete) {
        this.complete = complete;
    }

    /** Adds the events of a directory, in order. */
    void add(Path directory, List<WatchEvent<?>> events) {
        for (WatchEvent<?> event : events) {
            if (event.context() instanceof Path name) {
                add(directory, event.kind(), directory.resolve(name));
            } else {
                // The system lost events.
                lost = true;
            }
        }
    }

    private void add(Path directory, WatchEvent.Kind<?> kind, Path file) {
        Path gone = lastGone.remove(directory);
        finished.remove(file);
        if (kind == StandardWatchEventKinds.ENTRY_DELETE) {
            unfinished.remove(file);
            lastGone.put(directory, file);
        } else if (kind == StandardWatchEventKinds.ENTRY_CREATE
                && ((gone != null && !gone.equals(file)) || complete.test(file))) {
            unfinished.remove(file);
            finished.add(file);
            arrived = true;
        } else {
            unfinished.add(file);
        }
    }

    /** Returns whether all existing files were put in place whole, and any was. */
    boolean isWhole() {
        return arrived && unfinished.isEmpty() && !lost;
    }

    /** Returns whether a file was put in place whole, and not modified since. */
    boolean isWhole(Path file) {
        return finished.contains(file) && !lost;
    }
}
