package io.plat.fronts.check;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One check, from the proxied request to the decision; subclasses send the response of their protocol. */
public abstract class ProxyCheck implements Decisions.Receiver {
    protected final Intake.Exchange http;
    private final Decisions decisions;
    private final CheckSettings settings;
    private @Nullable UserInfo user;

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
            decisions.onItsOwnThread(() -> decide(request, bytes), this);
        } else {
            decide(request, bytes);
        }
    }

    private void decide(ProxiedRequest request, int bytes) {
        try {
            AccessAttributes access = request.access(settings.paths());
            UserInfo identified = settings.identity().identify(request.fields());
            user = identified;
            decisions.decide(
                    new Decisions.Origin(http.request(), id(), bytes), new Attributes(identified, access), this);
        } catch (StatusException e) {
            refuse(e.status());
        }
    }

    @Override
    public void decided(Decision decision, PolicySet policy) {
        http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, policy.revision());
        boolean reasons = decisions.reasonPolicy().includesReasons(http.request());
        switch (DecisionResponse.of(decision, reasons)) {
            case DecisionResponse.Failed(Status status) -> refuse(status, reasons ? status.message() : "", policy);
            case DecisionResponse.Answered answered -> {
                String reason = answered.status().reason();
                if (answered.status().allowed()) {
                    UserInfo known = Objects.requireNonNull(user);
                    allow(settings.answer().values(known, id(), policy.revision()), reason, policy);
                } else {
                    String why = reason.isEmpty() ? "the request is not allowed" : reason;
                    refuse(Status.of(StatusReason.FORBIDDEN, why), reason, policy);
                }
            }
        }
    }

    @Override
    public final void failed(RuntimeException bug) {
        http.fail(bug);
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

    /** Returns the id of the decision. */
    protected final String id() {
        return AnswerHeaders.decisionId(http.response());
    }
}
