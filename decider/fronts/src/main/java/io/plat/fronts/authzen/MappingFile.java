package io.plat.fronts.authzen;

import io.plat.fronts.authzen.MappedTypes.Rows;
import io.plat.http.metrics.ServerMetrics;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.files.FileWatch;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A mapping file that is read again when it changes; while it is invalid, the last good content stays in effect. Safe for any number of threads. */
public final class MappingFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(MappingFile.class);
    private static final String NAME = "authzen-mapping";

    private final Path file;
    private final ServerMetrics metrics;
    private volatile Rows rows;
    private volatile boolean broken;
    private @Nullable FileWatch watch;

    private MappingFile(Path file, ServerMetrics metrics, Rows rows) {
        this.file = file;
        this.metrics = metrics;
        this.rows = rows;
    }

    /**
     * Reads a file.
     *
     * @param watching how to watch it, or null
     * @throws ProblemsException if it can't be used
     */
    public static MappingFile open(Path file, FileWatch.@Nullable Settings watching, ServerMetrics metrics)
            throws ProblemsException {
        MappingFile opened = new MappingFile(file, metrics, Rows.NONE);
        FileWatch watch =
                watching == null ? null : FileWatch.of(NAME, List.of(file), watching, changed -> opened.reload());
        opened.rows = MappingReader.read(file);
        opened.watch = watch;
        if (watch != null) {
            watch.start();
        }
        return opened;
    }

    /** Returns the present mapping for one request. */
    Mapping current(boolean search) {
        return new MappedTypes(rows, Expression.budget(search));
    }

    /** Returns whether the file as it is now can't be used. */
    public boolean isBroken() {
        return broken;
    }

    private void reload() {
        try {
            rows = MappingReader.read(file);
            broken = false;
            metrics.reloads(NAME, true).increment();
            LOG.info("the AuthZEN mapping was reloaded: file={}", file);
        } catch (ProblemsException unusable) {
            broken = true;
            metrics.reloads(NAME, false).increment();
            LOG.error("the changed AuthZEN mapping can't be used, the last good one stays in effect: file={}", file);
            Problem.report(unusable.problems()).forEach(problem -> LOG.error("{}", problem));
        }
    }

    @Override
    public void close() {
        FileWatch open = watch;
        if (open != null) {
            open.close();
        }
    }
}
