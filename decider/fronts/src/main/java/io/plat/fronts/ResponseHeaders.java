package io.plat.fronts;

import io.plat.engine.policy.PolicySet;
import io.plat.http.RequestIds;
import io.plat.http.StatusResponses;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Handler that sets the decision id and the policy revision of every response, and the names of these header fields. */
public final class ResponseHeaders extends Handler.Wrapper {
    public static final String DECISION_ID = "Decision-Id";
    public static final String POLICY_REVISION = "Policy-Revision";
    public static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, StatusResponses.JSON);
    public static final HttpField NO_STORE = new PreEncodedHttpField(HttpHeader.CACHE_CONTROL, "no-cache, private");

    private final RequestIds ids = new RequestIds();
    private final Supplier<PolicySet> policy;

    public ResponseHeaders(Supplier<PolicySet> policy) {
        this.policy = policy;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(DECISION_ID, ids.next());
        headers.put(POLICY_REVISION, policy.get().revision());
        return super.handle(request, response, callback);
    }
}
