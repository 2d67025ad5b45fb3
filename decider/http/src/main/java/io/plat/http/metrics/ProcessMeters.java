package io.plat.http.metrics;

import com.sun.management.ThreadMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Standard Prometheus metrics of a process: {@code process_cpu_seconds_total}, {@code process_open_fds}, {@code process_max_fds}, {@code
 * process_resident_memory_bytes} and {@code process_virtual_memory_bytes}. Values that the system does not provide are omitted.
 */
final class ProcessMeters implements MeterBinder {
    private static final Path STATUS = Path.of("/proc/self/status");

    @Override
    public void bindTo(MeterRegistry registry) {
        collections(registry);
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            FunctionCounter.builder("process.cpu.seconds", system, bean -> bean.getProcessCpuTime() / 1e9)
                    .description("CPU time of the process, in user and system mode.")
                    .register(registry);
            Gauge.builder("process.open.fds", system, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
                    .description("Open file descriptors.")
                    .register(registry);
            Gauge.builder("process.max.fds", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("Maximum number of open file descriptors.")
                    .register(registry);
        }
        if (Files.isReadable(STATUS)) {
            memory("process.resident.memory.bytes", "VmRSS:", "Resident memory.", registry);
            memory("process.virtual.memory.bytes", "VmSize:", "Virtual memory.", registry);
        }
    }

    /**
     * Registers metrics of garbage collection, under the usual names for JVMs. Values are read on demand. Micrometer's own meters are notified of
     * each collection on a thread of the JVM, which is expensive if there are many.
     */
    private static void collections(MeterRegistry registry) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer.builder(
                            "jvm.gc.pause",
                            collector,
                            GarbageCollectorMXBean::getCollectionCount,
                            GarbageCollectorMXBean::getCollectionTime,
                            TimeUnit.MILLISECONDS)
                    .description("Garbage collections and their duration.")
                    .tag("gc", collector.getName())
                    .register(registry);
        }
        if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                && threads.isThreadAllocatedMemorySupported()) {
            FunctionCounter.builder("jvm.gc.memory.allocated", threads, ThreadMXBean::getTotalThreadAllocatedBytes)
                    .description("Memory allocated for objects by threads.")
                    .baseUnit("bytes")
                    .register(registry);
        }
    }

    private static void memory(String name, String line, String description, MeterRegistry registry) {
        Gauge.builder(name, () -> bytes(line)).description(description).register(registry);
    }

    private static double bytes(String name) {
        try {
            for (String line : Files.readAllLines(STATUS)) {
                if (line.startsWith(name)) {
                    return Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024;
                }
            }
            return Double.NaN;
        } catch (IOException unavailable) {
            return Double.NaN;
        }
    }
}
