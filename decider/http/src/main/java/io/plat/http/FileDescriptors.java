package io.plat.http;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * File descriptors for clients' connections. The others are reserved for the server itself: policy files, the revision stream, storage, requests
 * to a decider, and shutdown.
 */
final class FileDescriptors {
    /** Requests to a decider, 600 at a time, log files that are followed, 400, and some more. */
    private static final long KEPT = 1536;

    private FileDescriptors() {}

    /** Returns the maximum number of connections: the requested one if the process has enough descriptors. */
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
