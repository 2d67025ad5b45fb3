package io.plat.apiserver.filter;

import io.plat.apiserver.request.RequestInfo;
import io.plat.review.status.StatusException;

/** Finds out what a request asks for. Where the target is malformed or could be read in two ways, the answer is 400. */
public final class RequestInfoFilter implements Filter {
    @Override
    public void admit(Call call) throws StatusException {
        Incoming incoming = call.incoming();
        call.info(RequestInfo.parse(incoming.method(), incoming.rawPath(), incoming.rawQuery()));
    }
}
