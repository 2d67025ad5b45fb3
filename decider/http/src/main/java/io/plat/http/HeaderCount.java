package io.plat.http;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Refuses a request with too many header fields; their size is bounded where they are parsed. */
final class HeaderCount extends Handler.Wrapper {
    private final int limit;

    HeaderCount(int limit) {
        this.limit = limit;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        int fields = request.getHeaders().size();
        if (fields > limit) {
            StatusAnswers.answer(
                    request,
                    response,
                    callback,
                    StatusAnswers.of(
                            HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431,
                            "the request has " + fields + " header fields: limit is " + limit));
            return true;
        }
        return super.handle(request, response, callback);
    }
}
