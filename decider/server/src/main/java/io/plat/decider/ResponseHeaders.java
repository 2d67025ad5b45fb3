package io.plat.decider;

import io.plat.engine.policy.PolicySet;
import io.plat.http.RequestIds;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Gives every answer its id and the revision of the policy. */
final class ResponseHeaders extends Handler.Wrapper {
    static final String DECISION_ID = "Decision-Id";
    static final String POLICY_REVISION = "Policy-Revision";

    private final RequestIds ids = new RequestIds();
    private final Supplier<PolicySet> policy;

    ResponseHeaders(Supplier<PolicySet> policy) {
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
