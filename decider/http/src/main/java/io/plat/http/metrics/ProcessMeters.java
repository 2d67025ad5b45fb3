package io.plat.http.metrics;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What every program of the field shows of its process, under the names that dashboards look for: {@code
 * process_cpu_seconds_total}, {@code process_open_fds}, {@code process_max_fds}, {@code process_resident_memory_bytes} and {@code
 * process_virtual_memory_bytes}. What the system does not tell is left out.
 */
final class ProcessMeters implements MeterBinder {
    private static final Path STATUS = Path.of("/proc/self/status");

    @Override
    public void bindTo(MeterRegistry registry) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            FunctionCounter.builder("process.cpu.seconds", system, bean -> bean.getProcessCpuTime() / 1e9)
                    .description("CPU time that the process has used, in user and system mode.")
                    .register(registry);
            Gauge.builder("process.open.fds", system, UnixOperatingSystemMXBean::getOpenFileDescriptorCount)
                    .description("File descriptors that are open.")
                    .register(registry);
            Gauge.builder("process.max.fds", system, UnixOperatingSystemMXBean::getMaxFileDescriptorCount)
                    .description("File descriptors that may be open.")
                    .register(registry);
        }
        if (Files.isReadable(STATUS)) {
            memory("process.resident.memory.bytes", "VmRSS:", "Memory that is resident.", registry);
            memory("process.virtual.memory.bytes", "VmSize:", "Address space that is taken.", registry);
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
        } catch (IOException notTold) {
            return Double.NaN;
        }
    }
}
