package io.plat.apiserver.audit;

import io.plat.apiserver.audit.policy.AuditPolicy;
import io.plat.apiserver.audit.policy.Stage;
import io.plat.apiserver.audit.policy.Verdict;
import io.plat.http.lines.LineLog;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The recording of a server's requests. Safe for any number of threads. */
public final class Audit implements AutoCloseable {
    /** The largest object that stands in an event, in bytes. */
    static final int LARGEST = 1 << 20;

    private final Parts parts;
    private final boolean waits;

    /**
     * What it is made of.
     *
     * @param policy what is recorded
     * @param backends where
     * @param meters counts
     * @param deciding by what requests are decided
     * @param clock dates events
     */
    record Parts(
            AuditPolicy policy, List<Backend> backends, AuditMeters meters, Deciding deciding, InstantSource clock) {
        Parts {
            backends = List.copyOf(backends);
        }
    }

    /**
     * Where events go.
     *
     * @param lines takes them
     * @param strict whether a request fails whose arrival it did not take
     */
    record Backend(LineLog<AuditEvent> lines, boolean strict) {
        /** Hands an event over; returns false where its request has to fail for it. */
        boolean record(AuditEvent event, boolean waits) {
            boolean taken = waits ? lines.record(event) : lines.recordOrDrop(event);
            return taken || !strict;
        }
    }

    Audit(Parts parts) {
        this.parts = parts;
        this.waits =
                parts.backends().stream().anyMatch(backend -> backend.lines().waits());
    }

    /** Whether there is anywhere to record to. */
    public boolean records() {
        return !parts.backends().isEmpty();
    }

    /** Whether requests wait for their events. */
    public boolean waits() {
        return waits;
    }

    /**
     * Begins to record a request of somebody who is known.
     *
     * @return what its events are made of; null where nothing is recorded of it
     * @throws StatusException 500 where its arrival had to be recorded and could not be
     */
    public @Nullable Audited begin(AuditedRequest request) throws StatusException {
        Verdict verdict = judge(request);
        if (!verdict.records()) {
            return null;
        }
        Audited audited = new Audited(this, request, verdict);
        if (!audited.received()) {
            parts.meters().rejected();
            throw new StatusException(
                    StatusReason.INTERNAL_ERROR,
                    "Internal Server Error: \"" + request.uri() + "\": failed to store audit event");
        }
        return audited;
    }

    /**
     * Records a request of which nobody knows who asks; never waits.
     *
     * @param attempted the kinds of credential that were tried
     */
    public void unauthenticated(AuditedRequest request, Status status, String attempted) {
        Verdict verdict = judge(request);
        if (verdict.records()) {
            Audited audited = new Audited(this, request, verdict);
            audited.note("authentication.plat.io/attempted", attempted);
            audited.refused(status, Stage.RESPONSE_STARTED);
        }
    }

    /** Records a request that could not be understood, so that nobody looked who asks; never waits. */
    public void malformed(AuditedRequest request, Status status) {
        Verdict verdict = judge(request);
        if (verdict.records()) {
            new Audited(this, request, verdict).refused(status, Stage.RESPONSE_COMPLETE);
        }
    }

    private Verdict judge(AuditedRequest request) {
        Verdict verdict = parts.policy().judge(request.user(), request.access());
        parts.meters().judged(verdict.level());
        return verdict;
    }

    boolean record(AuditEvent event, boolean waiting) {
        parts.meters().event();
        boolean goesOn = true;
        for (Backend backend : parts.backends()) {
            goesOn &= backend.record(event, waiting);
        }
        return goesOn;
    }

    Instant now() {
        return parts.clock().instant();
    }

    Deciding deciding() {
        return parts.deciding();
    }

    /** Begins to write; until then events wait. */
    public void start() {
        parts.backends().forEach(backend -> backend.lines().begin());
    }

    /** Writes what was recorded and ends. */
    @Override
    public void close() throws IOException {
        for (Backend backend : parts.backends()) {
            backend.lines().close();
        }
    }
}
