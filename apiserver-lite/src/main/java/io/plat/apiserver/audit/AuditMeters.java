package io.plat.apiserver.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.apiserver.audit.policy.Level;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** Audit metrics of kube-apiserver: {@code apiserver_audit_event_total}, {@code _level_total}, {@code _error_total} and so on. */
final class AuditMeters {
    private final MeterRegistry registry;
    private final Counter events;
    private final Counter rejected;
    private final Map<Level, Counter> levels = new EnumMap<>(Level.class);

    AuditMeters(MeterRegistry registry) {
        this.registry = registry;
        events = Counter.builder("apiserver.audit.event")
                .description("Audit events generated and sent to the audit backends.")
                .register(registry);
        rejected = Counter.builder("apiserver.audit.requests.rejected")
                .description("Requests rejected because their audit event could not be recorded.")
                .register(registry);
        for (Level level : Level.values()) {
            levels.put(
                    level,
                    Counter.builder("apiserver.audit.level")
                            .description("Requests by the level that the audit policy gives them.")
                            .tag("level", level.word())
                            .register(registry));
        }
    }

    void judged(Level level) {
        Objects.requireNonNull(levels.get(level)).increment();
    }

    void event() {
        events.increment();
    }

    void rejected() {
        rejected.increment();
    }

    /** Returns the counter of events that a backend lost. */
    Counter errors(String plugin) {
        return Counter.builder("apiserver.audit.error")
                .description("Audit events that a backend could not record, or dropped.")
                .tag("plugin", plugin)
                .register(registry);
    }
}
