package io.plat.apiserver.endpoint;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the JVM says about this process. */
final class ProcessState {
    /** The longest dump of threads, in bytes; what is beyond is left out. */
    private static final int LARGEST_DUMP = 32 << 20;

    private ProcessState() {}

    /**
     * The stacks of all threads, virtual ones included, as {@code jcmd} dumps them.
     *
     * @throws IOException if they can't be put down in between
     */
    static byte[] threads() throws IOException {
        Path folder = Files.createTempDirectory("threads");
        Path file = folder.resolve("threads.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            try (InputStream dump = Files.newInputStream(file)) {
                return dump.readNBytes(LARGEST_DUMP);
            }
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }

    /** Memory by pool, in bytes, and what collections took. */
    static String heap() {
        var text = new StringBuilder();
        line(text, "heap", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage());
        line(text, "outside the heap", ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage());
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            line(text, pool.getName(), pool.getUsage());
        }
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            text.append("%-34s collections=%d milliseconds=%d%n"
                    .formatted(collector.getName(), collector.getCollectionCount(), collector.getCollectionTime()));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String what, MemoryUsage usage) {
        text.append("%-34s used=%d committed=%d max=%d%n"
                .formatted(what, usage.getUsed(), usage.getCommitted(), usage.getMax()));
    }
}
