package io.plat.http;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Answers POST /echo with its body, and GET /raw... with the path as it was sent; fails on GET /throws, /bug, /error and /status. */
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
            response.write(true, ByteBuffer.wrap(path.getBytes(StandardCharsets.UTF_8)), callback);
            return true;
        }
        switch (String.valueOf(path)) {
            case "/throws", "/bug" -> throw new IllegalStateException("secret detail");
            case "/error" -> throw new AssertionError("secret detail");
            case "/status" -> {
                if (HttpMethod.GET.is(request.getMethod())) {
                    throw new StatusException(StatusReason.CONFLICT, "the handler's own");
                }
                StatusResponses.refuseMethod(request, response, callback, "GET");
                return true;
            }
            default -> {
                return super.handle(request, response, callback);
            }
        }
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
