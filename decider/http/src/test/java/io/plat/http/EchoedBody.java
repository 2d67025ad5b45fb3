package io.plat.http;

import io.plat.review.status.StatusException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers POST /echo with its body, and GET /raw... with the path as it was sent. */
final class EchoedBody extends Handler.Wrapper {
    private final int limit;

    EchoedBody(int limit) {
        this.limit = limit;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = request.getHttpURI().getPath();
        if ("/echo".equals(path)) {
            BoundedBody.read(request, limit, new Echo(request, response, callback));
            return true;
        }
        if (path != null && path.startsWith("/raw")) {
            response.write(true, ByteBuffer.wrap(path.getBytes(java.nio.charset.StandardCharsets.UTF_8)), callback);
            return true;
        }
        if ("/throws".equals(path)) {
            throw new IllegalStateException("secret detail");
        }
        return super.handle(request, response, callback);
    }

    private record Echo(Request request, Response response, Callback callback) implements BoundedBody.Receiver {
        @Override
        public void received(byte[] bytes, int length) {
            response.write(true, ByteBuffer.wrap(bytes, 0, length), callback);
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof StatusException expected) {
                StatusResponses.answer(request, response, callback, expected.status());
            } else {
                callback.failed(cause);
            }
        }
    }
}
