package io.plat.engine.plugin.host;

import io.plat.process.LogRateLimit;
import io.plat.process.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logging of plug-in failures, at most one per minute. Only the class and location of an exception are logged: its message could contain the
 * request or a secret.
 */
final class PluginFailures {
    private static final Logger LOG = LoggerFactory.getLogger(PluginAuthorizer.class);
    private final String name;
    private final LogRateLimit limit = new LogRateLimit(System::nanoTime);

    PluginFailures(String name) {
        this.name = name;
    }

    /** Type and location of a plug-in's exception, determined on the call's thread, as the methods of a plug-in's exception may never return. */
    static final class PluginException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String kind;

        PluginException(Throwable thrown) {
            super(thrown.getClass().getName() + " at " + Tasks.throwLocation(thrown), null, false, false);
            this.kind = PluginFailures.kind(thrown);
        }

        /** Returns the simple name of the exception's class. */
        String kind() {
            return kind;
        }
    }

    void threw(String what) {
        limit.unlessRecent(() -> LOG.error("a plug-in threw an exception: plugin={} exception={}", name, what));
    }

    void log(String what) {
        limit.unlessRecent(() -> LOG.error("a plug-in failed: plugin={} cause={}", name, what));
    }

    /** Returns the simple name of the exception's class. Derived from the full name, as {@code getSimpleName} may throw for a broken class. */
    static String kind(Throwable thrown) {
        String type = thrown.getClass().getName();
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1);
    }
}
