package io.plat.fronts.check;

import io.plat.engine.policy.PolicySet;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.ResponseHeaders;
import io.plat.http.LingeringClose;
import io.plat.http.RelayedRequests;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Handler of checks over HTTP, as sent by nginx, Caddy, Traefik, Envoy and implementations of the Gateway API: 200 if it is allowed, 403 if not, 401
 * without a user, 400 if it is ambiguous. Bodies are ignored.
 */
public final class HttpCheck extends Handler.Wrapper implements RelayedRequests {
    private final Decisions decisions;
    private final CheckSettings settings;
    private final Intake intake;

    /** @param intake admission of checks */
    public HttpCheck(Decisions decisions, CheckSettings settings, Intake intake) {
        this.decisions = decisions;
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
            new Check(http).begin();
        }
        return true;
    }

    /** One check over HTTP. */
    private final class Check extends ProxyCheck {
        Check(Intake.Exchange http) {
            super(decisions, settings, http);
        }

        void begin() {
            Request request = http.request();
            try {
                ProxiedRequest proxied = ForwardedRequest.read(
                        request.getMethod(),
                        request.getHttpURI().getPathQuery(),
                        new RequestFields(request.getHeaders()));
                check(proxied, proxied.target().length());
            } catch (StatusException e) {
                refuse(e.status());
            }
        }

        @Override
        protected void allow(Map<String, String> fields, String reason, PolicySet policy) {
            http.permit().release();
            HttpFields.Mutable headers = http.response().getHeaders();
            fields.forEach(headers::put);
            if (!reason.isEmpty()) {
                headers.put(AnswerFields.REASON, AnswerFields.reason(reason));
            }
            headers.put(ResponseHeaders.NO_STORE);
            headers.put(HttpHeader.CONTENT_LENGTH, 0);
            http.response().setStatus(HttpStatus.OK_200);
            LingeringClose.write(http.request(), http.response(), null, http.callback());
        }

        @Override
        protected void refuse(Status status, Map<String, String> fields, String reason, PolicySet policy) {
            fields.forEach(http.response().getHeaders()::put);
            http.refuse(status);
        }
    }
}
