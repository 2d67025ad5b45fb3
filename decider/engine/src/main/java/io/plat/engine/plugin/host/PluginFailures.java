package io.plat.engine.plugin.host;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logging of plug-in failures, at most one per minute. Only the class and location of an exception are logged: its message could contain the
 * request or a secret.
 */
final class PluginFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthorizer.class);
    private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

    private final String name;
    private final LongSupplier nanoTime;
    private final AtomicLong quietUntil;

    /**
     * Creates the log of one plug-in.
     *
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    PluginFailures(String name, LongSupplier nanoTime) {
        this.name = name;
        this.nanoTime = nanoTime;
        this.quietUntil = new AtomicLong(nanoTime.getAsLong());
    }

    /** Type and location of a plug-in's exception, determined on the call's thread, as the methods of a plug-in's exception may never return. */
    static final class PluginException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String kind;

        PluginException(Throwable thrown) {
            super(thrown.getClass().getName() + " at " + place(thrown), null, false, false);
            this.kind = PluginFailures.kind(thrown);
        }

        private static String place(Throwable thrown) {
            StackTraceElement[] trace = thrown.getStackTrace();
            return trace.length == 0 ? "an unknown location" : trace[0].toString();
        }

        /** Returns the simple name of the exception's class. */
        String kind() {
            return kind;
        }
    }

    void threw(String what) {
        if (mayLog()) {
            LOG.error("a plug-in threw an exception: plugin={} exception={}", name, what);
        }
    }

    void log(String what) {
        if (mayLog()) {
            LOG.error("a plug-in failed: plugin={} cause={}", name, what);
        }
    }

    /** Returns the simple name of the exception's class. Derived from the full name, as {@code getSimpleName} may throw for a broken class. */
    static String kind(Throwable thrown) {
        String type = thrown.getClass().getName();
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }

    private boolean mayLog() {
        long now = nanoTime.getAsLong();
        long until = quietUntil.get();
        return now - until >= 0 && quietUntil.compareAndSet(until, now + QUIET_NANOS);
    }
}
