package io.plat.http.metrics;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * What collecting garbage takes, under names that dashboards of JVMs look for: {@code jvm_gc_pause_seconds_count} and {@code
 * jvm_gc_pause_seconds_sum} by collector, and {@code jvm_gc_memory_allocated_bytes_total}. All of it is asked for when somebody reads it. Micrometer's
 * own meters are told of each collection on a thread of the JVM's, which took a server with many small ones a fiftieth of its time.
 */
final class CollectionMeters implements MeterBinder {
    @Override
    public void bindTo(MeterRegistry registry) {
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            FunctionTimer.builder(
                            "jvm.gc.pause",
                            collector,
                            GarbageCollectorMXBean::getCollectionCount,
                            GarbageCollectorMXBean::getCollectionTime,
                            TimeUnit.MILLISECONDS)
                    .description("Collections of garbage, and the time that they took.")
                    .tag("gc", collector.getName())
                    .register(registry);
        }
        if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                && threads.isThreadAllocatedMemorySupported()) {
            FunctionCounter.builder("jvm.gc.memory.allocated", threads, ThreadMXBean::getTotalThreadAllocatedBytes)
                    .description("Memory that threads have taken for objects.")
                    .baseUnit("bytes")
                    .register(registry);
        }
    }
}
