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
 * What the file system said since it began to say something: whether files were put in place whole, or may be half written.
 *
 * <p>A file that is renamed within its folder shows as a name that goes, directly followed by one that comes. Its content was written under
 * the other name, so that it is complete, unless something was written to it afterwards. One that comes from another folder shows as a
 * name that comes, and its times tell that it was not written just now. A name that comes in any other way is a file that somebody may
 * be writing. Used by one thread.
 */
final class Burst {
    private final Set<Path> unfinished = new HashSet<>();
    private final Set<Path> finished = new HashSet<>();
    private final Map<Path, Path> lastGone = new HashMap<>();
    private final Predicate<Path> complete;
    private boolean arrived;
    private boolean lost;

    /**
     * Nothing said yet.
     *
     * @param complete whether a file that has just come was written before it came
     */
    Burst(Predicate<Path> complete) {
        this.complete = complete;
    }

    /** Takes what was said about a folder, in its order. */
    void add(Path folder, List<WatchEvent<?>> events) {
        for (WatchEvent<?> event : events) {
            if (event.context() instanceof Path name) {
                add(folder, event.kind(), folder.resolve(name));
            } else {
                // The system could not keep all that happened.
                lost = true;
            }
        }
    }

    private void add(Path folder, WatchEvent.Kind<?> kind, Path file) {
        Path gone = lastGone.remove(folder);
        finished.remove(file);
        if (kind == StandardWatchEventKinds.ENTRY_DELETE) {
            unfinished.remove(file);
            lastGone.put(folder, file);
        } else if (kind == StandardWatchEventKinds.ENTRY_CREATE
                && ((gone != null && !gone.equals(file)) || complete.test(file))) {
            unfinished.remove(file);
            finished.add(file);
            arrived = true;
        } else {
            unfinished.add(file);
        }
    }

    /** Whether all that is there now was put in place whole, and something was. */
    boolean isWhole() {
        return arrived && unfinished.isEmpty() && !lost;
    }

    /** Whether a file was put in place whole, and not written to since. */
    boolean isWhole(Path file) {
        return finished.contains(file) && !lost;
    }
}
