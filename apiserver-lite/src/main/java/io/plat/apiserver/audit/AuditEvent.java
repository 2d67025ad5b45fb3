package io.plat.apiserver.audit;

import io.plat.apiserver.audit.policy.RequestAuditConfig;
import io.plat.apiserver.audit.policy.Stage;
import io.plat.engine.Decision;
import io.plat.engine.lookup.Frozen;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Audit event: one stage of a request. Not serialized yet.
 *
 * @param impersonated impersonated user; null without impersonation, or not known yet
 * @param authorization authorization decision; null before there is one
 * @param outcome response; null before there is one
 */
record AuditEvent(
        AuditedRequest request,
        RequestAuditConfig auditConfig,
        Stage stage,
        Instant time,
        @Nullable UserInfo impersonated,
        @Nullable AuthorizationResult authorization,
        @Nullable Outcome outcome,
        Payload requestObject,
        Payload responseObject,
        Map<String, String> annotations) {
    AuditEvent {
        annotations = Frozen.copyOf(annotations);
    }

    record AuthorizationResult(Decision decision, String modes, PolicyRevision policyRevision) {}

    sealed interface Outcome {
        record Responded(int code) implements Outcome {}

        /** Success Status, such as after a deletion. */
        record Succeeded(int code, Details details) implements Outcome {}

        record Failed(Status status) implements Outcome {}

        /** Connection closed before a response. */
        record Closed() implements Outcome {}
    }

    /**
     * Request or response object, to the extent that it is recorded.
     *
     * @param json the object, not to be modified; null if it is not recorded or {@code tooLarge}
     * @param tooLarge whether it was omitted because of its size
     */
    @SuppressWarnings("ArrayRecordComponent") // Passed on once and never compared.
    record Payload(byte @Nullable [] json, boolean tooLarge) {
        static final Payload NONE = new Payload(null, false);

        /** Object that is omitted because of its size. */
        static final Payload TOO_LARGE = new Payload(null, true);

        int bytes() {
            return json == null ? 0 : json.length;
        }
    }
}
