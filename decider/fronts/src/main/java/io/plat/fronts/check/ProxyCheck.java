package io.plat.fronts.check;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.LinkedHashMap;
import java.util.Map;

/** One check, from the proxied request to the decision; subclasses send the response of their protocol. */
public abstract class ProxyCheck {
    protected final Intake.Exchange http;
    private final Decisions decisions;
    private final CheckSettings settings;

    protected ProxyCheck(Decisions decisions, CheckSettings settings, Intake.Exchange http) {
        this.decisions = decisions;
        this.settings = settings;
        this.http = http;
    }

    /**
     * Sends a response that allows the request.
     *
     * @param fields the header fields for the application
     * @param reason the reason, or {@code ""}
     */
    protected abstract void allow(Map<String, String> fields, String reason, PolicySet policy);

    /**
     * Sends a response that refuses the request.
     *
     * @param fields the header fields for the client
     * @param reason the reason, or {@code ""}
     */
    protected abstract void refuse(Status status, Map<String, String> fields, String reason, PolicySet policy);

    /** Decides a request, on another thread if identifying its user blocks. */
    protected final void check(ProxiedRequest request, int bytes) {
        if (settings.identity().waits(request.fields())) {
            decisions.onItsOwnThread(http, () -> decide(request, bytes));
        } else {
            decide(request, bytes);
        }
    }

    private void decide(ProxiedRequest request, int bytes) {
        try {
            AccessAttributes access = request.access(settings.paths());
            UserInfo user = settings.identity().identify(request.fields());
            decisions.decide(
                    http, bytes, new Attributes(user, access), (decision, policy) -> decided(user, decision, policy));
        } catch (StatusException e) {
            refuse(e.status());
        }
    }

    /** Answers with a decision. */
    protected void decided(UserInfo user, Decision decision, PolicySet policy) {
        http.response().getHeaders().put(ResponseHeaders.POLICY_REVISION, policy.revision());
        boolean reasons = decisions.reasonPolicy().includesReasons(http.request());
        switch (DecisionResponse.of(decision, reasons)) {
            case DecisionResponse.Failed(Status status) -> refuse(status, reasons ? status.message() : "", policy);
            case DecisionResponse.Answered answered -> {
                String reason = answered.status().reason();
                if (answered.status().allowed()) {
                    allow(settings.answer().values(user, http.decisionId(), policy.revision()), reason, policy);
                } else {
                    String cause = reason.isEmpty() ? "the request is not allowed" : reason;
                    refuse(Status.of(StatusReason.FORBIDDEN, cause), reason, policy);
                }
            }
        }
    }

    /** Refuses a request that cannot be decided. */
    protected final void refuse(Status status) {
        refuse(status, status.message(), decisions.policy());
    }

    private void refuse(Status status, String reason, PolicySet policy) {
        Map<String, String> fields = new LinkedHashMap<>();
        if (!reason.isEmpty()) {
            fields.put(AnswerFields.REASON, AnswerFields.reason(reason));
        }
        String challenge = settings.identity().challenge();
        if (status.reason() == StatusReason.UNAUTHORIZED && !challenge.isEmpty()) {
            fields.put("WWW-Authenticate", challenge);
        }
        refuse(status, fields, reason, policy);
    }
}
