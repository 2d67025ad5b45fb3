package io.plat.decider.log;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts lines and tells the operator of those that are missing, at most once a minute. Safe for any number of threads. */
final class Losses {
    private static final Logger LOG = LoggerFactory.getLogger(DecisionLog.class);

    private final Counter written;
    private final Counter dropped;
    private final Quiet losing;
    private final Quiet again;
    private volatile boolean failing;

    Losses(MeterRegistry registry, LongSupplier nanoTime) {
        written = Counter.builder("decision.log.written")
                .description("Decisions that are in the decision log.")
                .register(registry);
        dropped = Counter.builder("decision.log.dropped")
                .description("Decisions that are missing in the decision log; in blocking mode they were answered 500.")
                .register(registry);
        losing = new Quiet(nanoTime);
        again = new Quiet(nanoTime);
    }

    void written(int count) {
        written.increment(count);
        if (failing) {
            failing = false;
            again.unlessRecent(() -> LOG.info("decision log: written again, {} decisions are missing", missing()));
        }
    }

    void lost(int count, String why) {
        dropped.increment(count);
        failing = true;
        losing.unlessRecent(() -> LOG.error("decision log: {} decisions are missing so far: {}", missing(), why));
    }

    private long missing() {
        return (long) dropped.count();
    }
}
