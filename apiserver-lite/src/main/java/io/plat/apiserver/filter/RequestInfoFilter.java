package io.plat.apiserver.filter;

import io.plat.apiserver.selector.LabelSelector;
import io.plat.review.request.RequestInfo;
import io.plat.review.status.StatusException;

/** Parses the request target. A malformed or ambiguous target is a 400. */
public final class RequestInfoFilter implements Filter {
    @Override
    public void admit(Call call) throws StatusException {
        IncomingRequest incoming = call.incoming();
        call.info(RequestInfo.parse(
                incoming.method(), incoming.rawPath(), incoming.rawQuery(), LabelSelector::requirements));
    }
}
