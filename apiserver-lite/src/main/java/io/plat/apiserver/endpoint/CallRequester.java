package io.plat.apiserver.endpoint;

import io.plat.apiserver.audit.Audited;
import io.plat.apiserver.filter.Call;
import io.plat.apiserver.resource.Requester;
import io.plat.review.UserInfo;
import org.jspecify.annotations.Nullable;

/**
 * The user of a request, whose answer and audit events admission adds to.
 *
 * @param call the request
 */
record CallRequester(Call call) implements Requester {
    @Override
    public UserInfo user() {
        return call.user();
    }

    @Override
    public void warn(String text) {
        call.warn(text);
    }

    @Override
    public void annotate(String key, String value) {
        @Nullable Audited audited = call.audited();
        if (audited != null) {
            audited.note(key, value);
        }
    }
}
