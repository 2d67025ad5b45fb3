package io.plat.apiserver.audit;

import io.plat.apiserver.audit.policy.Stage;
import io.plat.apiserver.audit.policy.Verdict;
import io.plat.engine.Decision;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event: a request at one stage. Nothing of it is text yet.
 *
 * @param request the request
 * @param verdict what is recorded of it
 * @param stage what it has come to
 * @param time when
 * @param impersonated as whom it is made; null where that is who asks, or not known yet
 * @param judged what was decided about it; null where nothing was yet
 * @param outcome what it was answered with; null where it was not yet
 * @param sent the object that was sent
 * @param answered the object that was answered
 * @param notes further annotations
 */
record AuditEvent(
        AuditedRequest request,
        Verdict verdict,
        Stage stage,
        Instant time,
        @Nullable UserInfo impersonated,
        @Nullable Judged judged,
        @Nullable Outcome outcome,
        Payload sent,
        Payload answered,
        Map<String, String> notes) {
    AuditEvent {
        notes = Map.copyOf(notes);
    }

    /**
     * A decision about a request.
     *
     * @param decision the decision, whose texts are made where its event is written
     * @param modes all that were asked
     * @param policyRevision the policy that it was decided by
     */
    record Judged(Decision decision, String modes, PolicyRevision policyRevision) {}

    /** The answer to a request. */
    sealed interface Outcome {
        /**
         * Something else than a failure.
         *
         * @param code the HTTP status code
         */
        record Answered(int code) implements Outcome {}

        /**
         * A Status of success, such as that an object is gone.
         *
         * @param code the HTTP status code
         * @param details what it was done to
         */
        record Succeeded(int code, Details details) implements Outcome {}

        /**
         * A failure.
         *
         * @param status as it was answered
         */
        record Failed(Status status) implements Outcome {}

        /** The connection ended before there was an answer. */
        record Closed() implements Outcome {}
    }

    /**
     * An object that was sent or answered, as far as it is recorded.
     *
     * @param json the object, not to be changed; null where it is not recorded or {@code tooLarge}
     * @param tooLarge whether it was left out for its size
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over once and never compared.
    record Payload(byte @Nullable [] json, boolean tooLarge) {
        /** No object. */
        static final Payload NONE = new Payload(null, false);

        /** One that is left out. */
        static final Payload TOO_LARGE = new Payload(null, true);

        int bytes() {
            return json == null ? 0 : json.length;
        }
    }
}
