package io.plat.apiserver.audit;

import io.plat.apiserver.audit.AuditEvent.AuthorizationResult;
import io.plat.apiserver.audit.AuditEvent.Outcome;
import io.plat.apiserver.audit.AuditEvent.Payload;
import io.plat.apiserver.audit.policy.Level;
import io.plat.apiserver.audit.policy.RequestAuditConfig;
import io.plat.apiserver.audit.policy.Stage;
import io.plat.apiserver.memory.BoundedOutput;
import io.plat.engine.Decision;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusReason;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Audit record of one request: gathers the contents of its events, and records them stage by stage. The request ends once: with its
 * response, or with its connection. Thread-safe.
 */
public final class AuditRecord {
    private static final int MAX_RETRIES = 3;

    private final Audit audit;
    private final AuditedRequest request;
    private final RequestAuditConfig auditConfig;
    private @Nullable UserInfo impersonated;
    private @Nullable AuthorizationResult authorization;
    private @Nullable Outcome outcome;
    private @Nullable Details details;
    private final Map<String, String> annotations = new HashMap<>();
    private Payload requestObject = Payload.NONE;
    private Payload responseObject = Payload.NONE;
    private boolean longRunning;
    private boolean started;
    private boolean completed;

    AuditRecord(Audit audit, AuditedRequest request, RequestAuditConfig auditConfig) {
        this.audit = audit;
        this.request = request;
        this.auditConfig = auditConfig;
    }

    /** Records that the request was received; returns false if that failed and the request must not proceed. */
    synchronized boolean received() {
        return recorded(Stage.REQUEST_RECEIVED, true);
    }

    /** Records the response to a request that was refused before authentication, at one stage only. */
    synchronized void refused(Status status, Stage stage) {
        byte[] json = StatusCodec.encode(status);
        responseObject(json.length, out -> out.write(json));
        outcome = new Outcome.Failed(status);
        completed = true;
        recorded(stage, false);
    }

    /** Adds an annotation to the events that follow. */
    public synchronized void addAnnotation(String annotation, String value) {
        annotations.put(annotation, value);
    }

    /** Sets the success Status that is being sent as the response. */
    public synchronized void succeeded(Details done) {
        details = done;
    }

    public synchronized void impersonated(UserInfo effective) {
        impersonated = effective;
    }

    /**
     * Runs an authorization decision, and records the policy revision that made it. If the revision changed meanwhile, it decides once
     * more, so that the event names the revision that decided. If revisions change faster than that, it names the newest.
     *
     * @param deciding makes the decision; returns null if it cannot yet
     */
    public <D extends @Nullable Decision> D decided(Supplier<D> deciding) {
        PolicyRevision before = audit.policyInEffect().revision().get();
        D decision = deciding.get();
        PolicyRevision now = audit.policyInEffect().revision().get();
        for (int again = 0; again < MAX_RETRIES && !now.equals(before); again++) {
            before = now;
            decision = deciding.get();
            now = audit.policyInEffect().revision().get();
        }
        if (decision != null) {
            decided(new AuthorizationResult(decision, audit.policyInEffect().modes(), now));
        }
        return decision;
    }

    private synchronized void decided(AuthorizationResult known) {
        authorization = known;
    }

    /** Sets the request object or patch, as JSON; not to be modified. */
    public synchronized void requestObject(byte[] json) {
        requestObject = json.length > Audit.MAX_OBJECT_BYTES ? Payload.TOO_LARGE : new Payload(json, false);
    }

    /** Response object that can be written as JSON. */
    @FunctionalInterface
    public interface ResponseObject {
        /**
         * Writes the object.
         *
         * @throws IOException if the stream fails
         */
        void writeTo(OutputStream out) throws IOException;
    }

    public boolean wantsResponse() {
        return auditConfig.level().includes(Level.REQUEST_RESPONSE);
    }

    /**
     * Sets the response object.
     *
     * @param size size in bytes; negative if unknown
     */
    public synchronized void responseObject(long size, ResponseObject json) {
        if (!wantsResponse()) {
            return;
        }
        if (size > Audit.MAX_OBJECT_BYTES) {
            responseObject = Payload.TOO_LARGE;
            return;
        }
        BoundedOutput bytes = new BoundedOutput(512, Audit.MAX_OBJECT_BYTES);
        try {
            json.writeTo(bytes);
            responseObject = new Payload(bytes.toByteArray(), false);
        } catch (IOException full) {
            responseObject = Payload.TOO_LARGE;
        }
    }

    /** Marks the response as a stream: there are events for its start and its end. */
    public synchronized void markLongRunning() {
        longRunning = true;
    }

    /** Sets the HTTP status code of the response; records the start of a stream. */
    public synchronized void responseStarted(int code) {
        if (!completed) {
            outcome = details == null ? new Outcome.Responded(code) : new Outcome.Succeeded(code, details);
            start();
        }
    }

    /** Sets the failure that is being sent as the response. */
    public synchronized void failed(Status status) {
        if (!completed) {
            outcome = new Outcome.Failed(status);
            start();
        }
    }

    private void start() {
        if (longRunning && !started) {
            started = true;
            recorded(Stage.RESPONSE_STARTED, true);
        }
    }

    /** Records the completed response, and waits for the log if it is a blocking one. */
    public synchronized void complete() {
        complete(true);
    }

    /** Records the end of the request, unless it was recorded before. Never waits. */
    public synchronized void end() {
        complete(false);
    }

    private void complete(boolean waits) {
        if (completed) {
            return;
        }
        if (outcome == null) {
            outcome = new Outcome.Closed();
            start();
        }
        completed = true;
        recorded(Stage.RESPONSE_COMPLETE, waits);
    }

    /** Records a panic: the server failed because of a defect. */
    public synchronized void panicked(Throwable defect) {
        if (completed) {
            return;
        }
        completed = true;
        outcome = new Outcome.Failed(Status.of(
                StatusReason.INTERNAL_ERROR,
                "APIServer panic'd: " + defect.getClass().getName()));
        recorded(Stage.PANIC, true);
    }

    private boolean recorded(Stage stage, boolean waits) {
        if (auditConfig.omitted().contains(stage)) {
            return true;
        }
        boolean withRequestObject = stage != Stage.REQUEST_RECEIVED;
        return audit.record(
                new AuditEvent(
                        request,
                        auditConfig,
                        stage,
                        audit.now(),
                        impersonated,
                        authorization,
                        outcome,
                        withRequestObject ? requestObject : Payload.NONE,
                        responseObject,
                        annotations),
                waits);
    }
}
