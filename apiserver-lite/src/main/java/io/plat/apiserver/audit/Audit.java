package io.plat.apiserver.audit;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.plat.apiserver.audit.policy.AuditPolicy;
import io.plat.apiserver.audit.policy.Level;
import io.plat.apiserver.audit.policy.RequestAuditConfig;
import io.plat.apiserver.audit.policy.Stage;
import io.plat.http.lines.LineLog;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Audit log of a server's requests. Thread-safe. */
public record Audit(
        AuditPolicy policy,
        List<Backend> backends,
        AuditMeters meters,
        PolicyInEffect policyInEffect,
        InstantSource clock)
        implements AutoCloseable {
    /** Maximum size of an object in an event, in bytes. */
    static final int MAX_OBJECT_BYTES = 1 << 20;

    public Audit {
        backends = List.copyOf(backends);
    }

    /**
     * Destination of events.
     *
     * @param strict whether a request fails if its arrival cannot be recorded
     */
    record Backend(LineLog<AuditEvent> lines, boolean strict) {
        /** Passes an event to the backend; returns false if the request has to fail. */
        boolean record(AuditEvent event, boolean waits) {
            if (waits) {
                return lines.record(event) || !strict;
            }
            lines.recordOrDrop(event);
            return true;
        }
    }

    public boolean records() {
        return !backends.isEmpty();
    }

    public boolean waits() {
        return backends.stream().anyMatch(backend -> backend.lines().waits());
    }

    /**
     * Starts recording an authenticated request.
     *
     * @return the record of the request; null if the policy excludes it
     * @throws StatusException InternalError if its arrival had to be recorded and could not be
     */
    public @Nullable AuditRecord begin(AuditedRequest request) throws StatusException {
        RequestAuditConfig auditConfig = auditConfig(request);
        if (!auditConfig.records()) {
            return null;
        }
        AuditRecord auditRecord = new AuditRecord(this, request, auditConfig);
        if (!auditRecord.received()) {
            meters.rejected();
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR,
                    "Internal Server Error: \"" + request.uri() + "\": failed to store audit event");
        }
        return auditRecord;
    }

    /** Records a request that failed authentication; never waits. */
    public void unauthenticated(AuditedRequest request, Status status, String attempted) {
        RequestAuditConfig auditConfig = auditConfig(request);
        if (auditConfig.records()) {
            AuditRecord auditRecord = new AuditRecord(this, request, auditConfig);
            auditRecord.addAnnotation("authentication.plat.io/attempted", attempted);
            auditRecord.refused(status, Stage.RESPONSE_STARTED);
        }
    }

    /** Records a malformed request, which was not authenticated; never waits. */
    public void malformed(AuditedRequest request, Status status) {
        RequestAuditConfig auditConfig = auditConfig(request);
        if (auditConfig.records()) {
            new AuditRecord(this, request, auditConfig).refused(status, Stage.RESPONSE_COMPLETE);
        }
    }

    private RequestAuditConfig auditConfig(AuditedRequest request) {
        RequestAuditConfig auditConfig = policy.auditConfig(request.user(), request.access());
        meters.authorization(auditConfig.level());
        return auditConfig;
    }

    boolean record(AuditEvent event, boolean waiting) {
        meters.event();
        boolean accepted = true;
        for (Backend backend : backends) {
            accepted &= backend.record(event, waiting);
        }
        return accepted;
    }

    Instant now() {
        return clock.instant();
    }

    /** Starts writing; until then events are queued. */
    public void start() {
        backends.forEach(backend -> backend.lines().begin());
    }

    /** Writes the pending events and stops. */
    @Override
    public void close() throws IOException {
        for (Backend backend : backends) {
            backend.lines().close();
        }
    }

    /** Audit metrics of kube-apiserver: {@code apiserver_audit_event_total}, {@code _level_total}, {@code _error_total} and so on. */
    static final class AuditMeters {
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
                                .description("Requests, by audit level.")
                                .tag("level", level.word())
                                .register(registry));
            }
        }

        void authorization(Level level) {
            Objects.requireNonNull(levels.get(level)).increment();
        }

        void event() {
            events.increment();
        }

        void rejected() {
            rejected.increment();
        }

        Counter errors(String plugin) {
            return Counter.builder("apiserver.audit.error")
                    .description("Audit events that a backend could not record, or dropped.")
                    .tag("plugin", plugin)
                    .register(registry);
        }
    }
}
