package io.plat.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * The file descriptors that clients' connections may take. The others are kept for what a server needs whoever is connected: policy files, the
 * revision stream, storage, questions to a decider, and its own end.
 */
final class Descriptors {
    /** Requests that are asked of a decider, 600 at a time, log files that are followed, 400, and some more. */
    private static final long KEPT = 1536;

    private Descriptors() {}

    /** How many connections there may be: as many as wanted where the process may have descriptors enough. */
    static int forConnections(int wanted) {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? forConnections(wanted, system.getMaxFileDescriptorCount() - system.getOpenFileDescriptorCount())
                : wanted;
    }

    /** The same where so many descriptors are free. */
    static int forConnections(int wanted, long free) {
        return Math.clamp(free - Math.min(KEPT, free / 2), 1, wanted);
    }
}
