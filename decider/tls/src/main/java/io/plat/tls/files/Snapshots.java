package io.plat.tls.files;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of watched paths at the last look, and what became different since. Used by one thread at a time. */
final class Snapshots {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);

    private final List<Path> paths;
    private Map<Path, FileState> last;

    Snapshots(List<Path> paths) {
        this.paths = paths;
        this.last = look(Map.of());
    }

    List<Path> paths() {
        return paths;
    }

    /** Looks again; the files whose content is another than at the last look, or that came or went. */
    Set<Path> update() {
        Map<Path, FileState> now = look(last);
        Set<Path> changed = new HashSet<>();
        for (Map.Entry<Path, FileState> entry : now.entrySet()) {
            FileState before = last.get(entry.getKey());
            if (before == null || !before.sameContent(entry.getValue())) {
                changed.add(entry.getKey());
            }
        }
        for (Path gone : last.keySet()) {
            if (!now.containsKey(gone)) {
                changed.add(gone);
            }
        }
        last = now;
        return changed;
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

    private static void lookInto(Path folder, Map<Path, FileState> before, Map<Path, FileState> states) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, Files::isRegularFile)) {
            for (Path entry : entries) {
                states.put(entry, FileState.of(entry, before.get(entry)));
            }
        } catch (IOException | DirectoryIteratorException e) {
            // A folder that can't be read is not an empty one: what was there stays what it was.
            LOG.warn("the folder {} can't be read: {}", folder, Objects.toString(e.getMessage()));
            before.forEach((path, state) -> {
                if (folder.equals(path.getParent())) {
                    states.putIfAbsent(path, state);
                }
            });
        }
    }
}
