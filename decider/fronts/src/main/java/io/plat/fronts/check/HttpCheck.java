package io.plat.fronts.check;

import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.ClientIdentity;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.http.RelayedRequests;
import io.plat.http.StatusResponses;
import io.plat.review.Attributes;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Objects;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The check of a request by HTTP, as nginx, Caddy, Traefik, Envoy and implementations of the Gateway API ask for it: 200 if it is allowed, 403 if not, 401
 * without a user, 400 if it is ambiguous. Bodies are ignored.
 */
public final class HttpCheck extends Handler.Wrapper implements RelayedRequests {
    private static final String NO_REASON = "";

    private final Decisions decisions;
    private final ClientIdentity.ReasonPolicy reasonPolicy;
    private final CheckSettings settings;
    private final Intake intake;

    /** @param intake admits checks */
    public HttpCheck(
            Decisions decisions, ClientIdentity.ReasonPolicy reasonPolicy, CheckSettings settings, Intake intake) {
        this.decisions = decisions;
        this.reasonPolicy = reasonPolicy;
        this.settings = settings;
        this.intake = intake;
    }

    @Override
    public boolean relays(String path) {
        return ForwardedRequest.isCheck(path);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if (path == null || !ForwardedRequest.isCheck(path)) {
            return super.handle(request, response, callback);
        }
        Intake.@Nullable Exchange http = intake.admit(request, response, callback);
        if (http != null) {
            Check check = new Check(http, new RequestFields(request.getHeaders()));
            if (settings.identity().waits(check.fields)) {
                decisions.onItsOwnThread(check::decide, check);
            } else {
                check.decide();
            }
        }
        return true;
    }

    /** One check: from its header fields to its answer. */
    private final class Check implements Decisions.Receiver {
        private final Intake.Exchange http;
        private final RequestFields fields;
        private @Nullable Attributes asked;

        Check(Intake.Exchange http, RequestFields fields) {
            this.http = http;
            this.fields = fields;
        }

        void decide() {
            try {
                String target = http.request().getHttpURI().getPathQuery();
                ProxiedRequest proxied = ForwardedRequest.read(http.request().getMethod(), target, fields);
                UserInfo user = settings.identity().identify(fields);
                Attributes attributes = new Attributes(user, proxied.access(settings.paths()));
                asked = attributes;
                decisions.decide(
                        new Decisions.Origin(
                                http.request(),
                                AnswerHeaders.decisionId(http.response()),
                                proxied.target().length()),
                        attributes,
                        this);
            } catch (StatusException refused) {
                refuse(refused.status(), refused.status().message());
            }
        }

        @Override
        public void failed(RuntimeException bug) {
            http.fail(bug);
        }

        @Override
        public void decided(Decision decision, PolicySet policy) {
            http.response().getHeaders().put(AnswerHeaders.POLICY_REVISION, policy.revision());
            boolean reasons = reasonPolicy.includesReasons(http.request());
            switch (DecisionResponse.of(decision, reasons)) {
                case DecisionResponse.Failed failed ->
                    refuse(failed.status(), reasons ? failed.status().message() : NO_REASON);
                case DecisionResponse.Answered answered
                when answered.status().allowed() -> allow(answered.status().reason(), policy);
                case DecisionResponse.Answered answered -> {
                    String reason = answered.status().reason();
                    refuse(
                            Status.of(StatusReason.FORBIDDEN, reason.isEmpty() ? "the request is not allowed" : reason),
                            reason);
                }
            }
        }

        private void allow(String reason, PolicySet policy) {
            http.place().leave();
            HttpFields.Mutable headers = http.response().getHeaders();
            settings.answer()
                    .values(
                            Objects.requireNonNull(asked).user(),
                            AnswerHeaders.decisionId(http.response()),
                            policy.revision())
                    .forEach(headers::put);
            putReason(reason);
            headers.put(AnswerHeaders.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, 0);
            StatusResponses.consumeOrClose(http.request(), http.response());
            http.response().setStatus(HttpStatus.OK_200);
            http.response().write(true, null, http.callback());
        }

        private void refuse(Status status, String reason) {
            putReason(reason);
            String challenge = settings.identity().challenge();
            if (status.code() == HttpStatus.UNAUTHORIZED_401 && !challenge.isEmpty()) {
                http.response().getHeaders().put(HttpHeader.WWW_AUTHENTICATE, challenge);
            }
            http.refuse(status);
        }

        private void putReason(String reason) {
            if (!reason.isEmpty()) {
                http.response().getHeaders().put(AnswerFields.REASON, AnswerFields.reason(reason));
            }
        }
    }
}
