package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.RbacKind;
import io.plat.process.LogRateLimit;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Log of a source: the server is unavailable, is available again, or has invalid objects. Each event is logged at most once a minute, as all types
 * fail together and a server may have any number of invalid objects.
 */
final class SourceLog {
    private static final Logger LOG = LoggerFactory.getLogger(RoleSource.class);

    private final String server;
    private final Lines lines;
    private final LogRateLimit failures;
    private final LogRateLimit unusableObjects;
    private final Set<RbacKind> failing = EnumSet.noneOf(RbacKind.class);
    private boolean failureLogged;

    /**
     * Destination of log lines.
     *
     * @param warnings lines that may require action
     * @param infos informational lines
     */
    record Lines(Consumer<String> warnings, Consumer<String> infos) {
        static final Lines LOGGED = new Lines(LOG::warn, LOG::info);
    }

    /**
     * Creates a log for one server.
     *
     * @param server its address
     * @param nanoTime a monotonic clock, in nanoseconds
     */
    SourceLog(String server, LongSupplier nanoTime, Lines lines) {
        this.server = server;
        this.lines = lines;
        this.failures = new LogRateLimit(nanoTime);
        this.unusableObjects = new LogRateLimit(nanoTime);
    }

    synchronized void failed(RbacKind kind, String what, boolean loaded) {
        failing.add(kind);
        failures.unlessRecent(() -> {
            failureLogged = true;
            warn(kind.resource() + ": " + what + "; "
                    + (loaded ? "the last valid policy remains in effect" : "nothing has been loaded yet"));
        });
    }

    synchronized void succeeded(RbacKind kind) {
        if (failing.remove(kind) && failing.isEmpty() && failureLogged) {
            failureLogged = false;
            info("followed again");
        }
    }

    void unusable(String object, String problem) {
        unusableObjects.unlessRecent(suppressed -> warn(
                SourceException.line(object) + " cannot be used and grants nothing: " + SourceException.line(problem)
                        + (suppressed == 0 ? "" : " (" + suppressed + " more since the last such line)")));
    }

    /** Logs that everything is loaded; the next failure is logged at once. */
    synchronized void loaded(int roles, int bindings) {
        failing.clear();
        failureLogged = false;
        failures.reset();
        info("loaded " + roles + " roles and " + bindings + " bindings");
    }

    private void warn(String what) {
        lines.warnings().accept("role objects of " + server + ": " + what);
    }

    private void info(String what) {
        lines.infos().accept("role objects of " + server + ": " + what);
    }
}
