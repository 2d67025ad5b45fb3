package io.plat.http.lines;

import io.micrometer.core.instrument.Counter;
import io.plat.process.LogRateLimit;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counter of written and lost lines, which warns of lost ones, at most once a minute. Thread-safe. */
public final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(LineLog.class);

    private final String log;
    private final IntConsumer written;
    private final Counter dropped;
    private final LogRateLimit losing;
    private final LogRateLimit again;
    private volatile boolean failing;
    private volatile long logged;
    private volatile String lastCause = "";

    /**
     * Creates the counter of one log.
     *
     * @param log its name in messages, such as {@code decision log}
     * @param written receives numbers of written lines
     * @param dropped counts lost events
     * @param nanoTime as {@link System#nanoTime}
     */
    public Losses(String log, IntConsumer written, Counter dropped, LongSupplier nanoTime) {
        this.log = log;
        this.written = written;
        this.dropped = dropped;
        losing = new LogRateLimit(nanoTime);
        again = new LogRateLimit(nanoTime);
    }

    String log() {
        return log;
    }

    void written(int count) {
        written.accept(count);
        if (failing) {
            failing = false;
            again.unlessRecent(() -> LOG.info("a log is writable again: log={} missing={}", log, missing()));
        }
        remind();
    }

    /** Logs losses that were suppressed by the rate limit, once it permits. */
    void remind() {
        if (missing() > logged) {
            losing.unlessRecent(() -> log(lastCause));
        }
    }

    private void log(String cause) {
        logged = missing();
        LOG.error("a log could not be written: log={} missing={} cause={}", log, logged, cause);
    }

    void lost(int count, String cause) {
        dropped.increment(count);
        failing = true;
        lastCause = cause;
        losing.unlessRecent(() -> log(cause));
    }

    private long missing() {
        return (long) dropped.count();
    }
}
