package io.plat.engine.plugin.host;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says in the log that a plug-in failed, at most once a minute. Of what it threw only the kind and the place are written: a message
 * could hold what was asked, or a secret.
 */
final class PluginFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthorizer.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final String name;
    private final LongSupplier nanoTime;
    private final AtomicLong quietUntil;

    /**
     * The failures of one plug-in.
     *
     * @param nanoTime nanoseconds that only grow
     */
    PluginFailures(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.quietUntil = new AtomicLong(nanoTime.getAsLong());
    }

    /** What a plug-in threw, and where: read on the thread of the call, as the methods of what was thrown may never return. */
    static final class ThrewException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String kind;

        ThrewException(Throwable thrown) {
            super(thrown.getClass().getName() + " at " + place(thrown), null, false, false);
            this.kind = PluginFailures.kind(thrown);
        }

        private static String place(Throwable thrown) {
            StackTraceElement[] trace = thrown.getStackTrace();
            return trace.length == 0 ? "an unknown place" : trace[0].toString();
        }

        /** The last part of its name. */
        String kind() {
            return kind;
        }
    }

    void threw(String what) {
        if (mayBeSaid()) {
            LOG.error("plug-in {} threw {}", name, what);
        }
    }

    void said(String what) {
        if (mayBeSaid()) {
            LOG.error("plug-in {} {}", name, what);
        }
    }

    /** What was thrown, by the last part of its name. Read off the name: a class may be broken enough not to tell where it belongs. */
    static String kind(Throwable thrown) {
        String type = thrown.getClass().getName();
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    private boolean mayBeSaid() {
        long now = nanoTime.getAsLong();
        long until = quietUntil.get();
        return now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS);
    }
}
