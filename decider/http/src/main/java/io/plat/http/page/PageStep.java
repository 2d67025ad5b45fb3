package io.plat.http.page;

import io.plat.http.StatusResponses;
import java.util.Optional;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/** Serves the files of the page from memory, and passes on every other request. */
public final class PageStep extends Handler.Wrapper {
    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        Optional<PageFile> file = path == null ? Optional.empty() : AccessPage.at(path);
        if (file.isEmpty()) {
            return super.handle(request, response, callback);
        }
        if (!StatusResponses.refusesWrite(request, response, callback)) {
            answer(file.get(), request, response, callback);
        }
        return true;
    }

    private static void answer(PageFile file, Request request, Response response, Callback callback) {
        HttpFields.Mutable headers = response.getHeaders();
        AccessPage.headers().forEach(headers::put);
        headers.put(HttpHeader.ETAG, "\"" + file.tag() + "\"");
        @Nullable String known = request.getHeaders().get(HttpHeader.IF_NONE_MATCH);
        if (known != null && file.isKnownBy(known)) {
            response.setStatus(HttpStatus.NOT_MODIFIED_304);
            response.write(true, null, callback);
            return;
        }
        response.setStatus(HttpStatus.OK_200);
        headers.put(HttpHeader.CONTENT_TYPE, file.contentType());
        response.write(true, StatusResponses.body(request, response, file.bytes()), callback);
    }
}
