package io.plat.fronts.authzen;

import io.plat.fronts.authzen.MappedTypes.Rows;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import io.plat.tls.files.WatchedFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Mapping file that is reloaded when it changes; while it is invalid, the last good content stays in effect. Safe for any number of threads. */
public final class MappingFile {
    private static final String NAME = "authzen-mapping";

    private final Supplier<Rows> rows;
    private volatile boolean broken;

    /**
     * Reads a file.
     *
     * @param watching settings of the watch; empty if it is not watched
     * @param opened receives the watch to close
     * @throws ProblemsException if it is invalid
     */
    public MappingFile(Path file, Optional<FileWatch.Settings> watching, ServerMetrics metrics, OpenResources opened)
            throws ProblemsException {
        if (watching.isEmpty()) {
            Rows read = MappingReader.read(file);
            rows = () -> read;
            return;
        }
        rows = opened.with(new WatchedFiles<>(
                NAME, List.of(file), watching.get(), _ -> MappingReader.read(file), problem -> {
                    broken = !problem.isEmpty();
                    metrics.reloads(NAME, problem.isEmpty()).increment();
                }));
    }

    /** Returns the current mapping for one request. */
    Mapping current(boolean search) {
        return new MappedTypes(rows.get(), Expression.budget(search));
    }

    /** Returns whether the current file is invalid. */
    public boolean isBroken() {
        return broken;
    }
}
