package io.plat.apiserver.watch;

import io.plat.http.UnreadResponses;
import java.nio.ByteBuffer;
import java.util.List;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Watch as a chunked response body (specification, "Watch").
 *
 * @param callback completed at the end
 */
record HttpFrames(Request request, Response response, Callback callback, String contentType, ClientPresence presence)
        implements FrameSink {
    @Override
    public void open(Callback opened) {
        response.setStatus(HttpStatus.OK_200);
        HttpFields.Mutable headers = response.getHeaders();
        headers.put(HttpHeader.CONTENT_TYPE, contentType);
        headers.put(HttpHeader.CACHE_CONTROL, "no-cache, private");
        // Idle periods are expected in a watch, which has its own timeout.
        request.addIdleTimeoutListener(timeout -> false);
        UnreadResponses.exclude(request);
        presence.begin();
        response.write(false, null, opened);
    }

    /** Sends all frames in one chunk, which is one TLS record for a single event. */
    @Override
    public void send(List<byte[]> frames, Callback written) {
        response.write(false, joined(frames), written);
    }

    private static ByteBuffer joined(List<byte[]> frames) {
        if (frames.size() == 1) {
            return ByteBuffer.wrap(frames.getFirst());
        }
        int length = 0;
        for (byte[] frame : frames) {
            length += frame.length;
        }
        ByteBuffer joined = ByteBuffer.allocate(length);
        frames.forEach(joined::put);
        return joined.flip();
    }

    @Override
    public void end(Callback written) {
        presence.end();
        response.write(true, null, written);
    }

    @Override
    public void complete() {
        callback.succeeded();
    }

    @Override
    public void abort(Throwable cause) {
        presence.end();
        request.getConnectionMetaData().getConnection().getEndPoint().close(cause);
        callback.failed(cause);
    }
}
