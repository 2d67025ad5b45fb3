package io.plat.apiserver.podlog;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Selection of log lines.
 *
 * @param follow whether to follow new output
 * @param tail number of lines from the end; negative for all
 * @param since start time; null for everything
 * @param timestamps whether to prefix each line with its time
 * @param limit maximum number of bytes
 */
public record LogOptions(
        boolean follow, long tail, @Nullable Instant since, boolean timestamps, long limit, Stream stream) {
    public static final LogOptions ALL = new LogOptions(false, -1, null, false, Long.MAX_VALUE, Stream.ALL);

    /** Output streams of a container. */
    public enum Stream {
        /** Both, in the order of output. */
        ALL,
        STDOUT,
        STDERR
    }

    public LogOptions {
        if (limit < 1) {
            throw new IllegalArgumentException("a limit must be positive");
        }
    }

    boolean selects(Instant time, boolean error) {
        boolean desired = switch (stream) {
            case ALL -> true;
            case STDOUT -> !error;
            case STDERR -> error;
        };
        return desired && (since == null || !time.isBefore(since));
    }
}
