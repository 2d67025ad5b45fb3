package io.plat.apiserver.podlog;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What of a log is wanted.
 *
 * @param follow whether to go on with what is written from now on
 * @param tail so many lines from the end; negative for all
 * @param since nothing older; null for everything
 * @param timestamps whether each line begins with its time
 * @param limit so many bytes at most
 * @param stream what was written to which output
 */
public record LogOptions(
        boolean follow, long tail, @Nullable Instant since, boolean timestamps, long limit, Stream stream) {
    /** Everything. */
    public static final LogOptions ALL = new LogOptions(false, -1, null, false, Long.MAX_VALUE, Stream.ALL);

    /** The outputs of a container. */
    public enum Stream {
        /** Both, in their order. */
        ALL,
        /** Standard output. */
        STDOUT,
        /** Standard error. */
        STDERR
    }

    public LogOptions {
        Objects.requireNonNull(stream);
        if (limit < 1) {
            throw new IllegalArgumentException("a limit must be positive");
        }
    }

    boolean wants(Instant time, boolean error) {
        boolean wanted = switch (stream) {
            case ALL -> true;
            case STDOUT -> !error;
            case STDERR -> error;
        };
        return wanted && (since == null || !time.isBefore(since));
    }
}
