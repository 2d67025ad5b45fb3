package io.plat.http;

import io.plat.process.Tasks;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Responds to GET /hold once it is released. */
final class HeldRequest extends Handler.Wrapper {
    private final CountDownLatch held;
    private final CountDownLatch release;

    HeldRequest(CountDownLatch held, CountDownLatch release) {
        this.held = held;
        this.release = release;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!"/hold".equals(request.getHttpURI().getPath())) {
            return super.handle(request, response, callback);
        }
        Tasks.virtual("held", () -> answer(response, callback));
        return true;
    }

    private void answer(Response response, Callback callback) {
        held.countDown();
        try {
            boolean released = release.await(20, TimeUnit.SECONDS);
            byte[] text = (released ? "held" : "not released").getBytes(StandardCharsets.US_ASCII);
            response.write(true, ByteBuffer.wrap(text), callback);
        } catch (InterruptedException e) {
            callback.failed(e);
        }
    }
}
