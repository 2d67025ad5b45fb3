package io.plat.apiserver.audit;

import io.plat.apiserver.audit.policy.Stage;
import io.plat.apiserver.audit.policy.Verdict;
import io.plat.review.UserInfo;
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
}
