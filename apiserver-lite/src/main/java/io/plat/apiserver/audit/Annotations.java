package io.plat.apiserver.audit;

import io.plat.engine.Decision;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an event says beside the members that every event has: the decision, and what is missing. */
final class Annotations {
    private static final String DECISION = "authorization.k8s.io/decision";
    private static final String REASON = "authorization.k8s.io/reason";
    private static final String AUTHORIZER = "authorization.plat.io/authorizer";
    private static final String POLICY_REVISION = "authorization.plat.io/policy-revision";
    static final String ATTEMPTED = "authentication.plat.io/attempted";

    private static final String TRUNCATED = "audit.k8s.io/truncated";

    private Annotations() {}

    static Map<String, String> of(AuditEvent event, boolean incomplete) {
        Map<String, String> annotations = new LinkedHashMap<>(event.notes());
        @Nullable Judged judged = event.judged();
        if (judged != null) {
            // Where nobody allowed it, all of them decided; one that allowed says so below.
            annotations.put(AUTHORIZER, judged.modes());
            decision(judged.decision(), annotations);
            String revision = judged.policyRevision().text();
            if (!revision.isEmpty()) {
                annotations.put(POLICY_REVISION, revision);
            }
        }
        if (incomplete) {
            annotations.put(TRUNCATED, "true");
        }
        return annotations;
    }

    private static void decision(Decision decision, Map<String, String> annotations) {
        switch (decision) {
            case Decision.Allow allow -> {
                annotations.put(DECISION, "allow");
                annotations.put(REASON, allow.reason());
                annotations.put(AUTHORIZER, allow.grant().authorizer());
            }
            case Decision.Deny deny -> {
                annotations.put(DECISION, "forbid");
                annotations.put(REASON, deny.reason());
            }
            case Decision.NoOpinion silent -> {
                annotations.put(DECISION, "forbid");
                annotations.put(REASON, silent.reason());
            }
            // As in the field, where nobody decided: why, but no decision.
            case Decision.Undecided ignored -> annotations.put(REASON, "internal error");
        }
    }
}
