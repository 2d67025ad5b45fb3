package io.plat.apiserver.watch;

import io.plat.http.StatusResponses;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketMappings;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.eclipse.jetty.websocket.core.server.WebSocketServerComponents;
import org.jspecify.annotations.Nullable;

/**
 * Watch as WebSocket messages, as kube-apiserver serves it to clients that request an upgrade: each event is a message, text for JSON,
 * otherwise binary and without the length prefix of streams. Messages from the client are read, to detect its disconnect, and ignored.
 */
final class WebSocketFrames implements FrameSink {
    private static final int LENGTH_BYTES = 4;
    private static final String CREDENTIAL_PROTOCOL = "base64url.bearer.authorization.";

    private static final Status NOT_UPGRADED = Status.of(
            StatusReason.BAD_REQUEST, "not a WebSocket handshake: expected version 13 and a Sec-WebSocket-Key");

    private final Request request;
    private final Response response;
    private final Callback callback;
    private final boolean text;
    private final Consumer<Throwable> onGone;
    private volatile @Nullable CoreSession session;

    /**
     * Creates a sink for a WebSocket that is not open yet.
     *
     * @param callback completed once the upgrade has succeeded or failed
     * @param text whether frames are text
     * @param onGone called when the client disconnects
     */
    WebSocketFrames(Request request, Response response, Callback callback, boolean text, Consumer<Throwable> onGone) {
        this.request = request;
        this.response = response;
        this.callback = callback;
        this.text = text;
        this.onGone = onGone;
    }

    static boolean isUpgrade(Request request) {
        return "websocket".equalsIgnoreCase(request.getHeaders().get("Upgrade"));
    }

    @Override
    public void open(Callback opened) {
        var components = WebSocketServerComponents.ensureWebSocketComponents(
                request.getConnectionMetaData().getConnector().getServer());
        boolean upgraded;
        try {
            upgraded = new WebSocketMappings(components)
                    // The watch limits what it sends; idle periods are unlimited.
                    .upgrade(new Listener(opened), request, response, callback, it -> it.setIdleTimeout(Duration.ZERO));
            // Handshakes are rejected with several exceptions without a common type.
        } catch (RuntimeException malformed) {
            upgraded = false;
        }
        if (!upgraded) {
            StatusResponses.answer(request, response, callback, NOT_UPGRADED);
            opened.failed(new EofException("no WebSocket"));
        }
    }

    /** Handler of one handshake, and of the frames that the client sends. */
    private final class Listener extends WebSocketNegotiator.AbstractNegotiator implements FrameHandler {
        private final Callback opened;

        Listener(Callback opened) {
            this.opened = opened;
        }

        @Override
        public FrameHandler negotiate(ServerUpgradeRequest requested, ServerUpgradeResponse answer, Callback unused) {
            // A compression extension would retain buffers for each quiet watch.
            answer.setExtensions(List.of());
            requested.getSubProtocols().stream()
                    .filter(protocol -> !protocol.startsWith(CREDENTIAL_PROTOCOL))
                    .findFirst()
                    .ifPresent(answer::setAcceptedSubProtocol);
            return this;
        }

        @Override
        public void onOpen(CoreSession open, Callback done) {
            session = open;
            done.succeeded();
            open.demand();
            opened.succeeded();
        }

        @Override
        public void onFrame(Frame frame, Callback done) {
            CoreSession open = session;
            if (frame.getOpCode() == OpCode.PING && open != null) {
                ByteBuffer echoed = ByteBuffer.allocate(frame.getPayloadLength());
                ByteBuffer payload = frame.getPayload();
                if (payload != null) {
                    echoed.put(payload.slice());
                }
                done.succeeded();
                // Nothing more is read before this was sent, so that a client that sends pings without reading is owed
                // one pong at most.
                open.sendFrame(new Frame(OpCode.PONG, echoed.flip()), Callback.from(open::demand, onGone), false);
                return;
            }
            done.succeeded();
            if (open != null) {
                open.demand();
            }
        }

        @Override
        public void onError(Throwable cause, Callback done) {
            done.succeeded();
            onGone.accept(cause);
        }

        @Override
        public void onClosed(CloseStatus status, Callback done) {
            done.succeeded();
            onGone.accept(new EofException("the client has closed the WebSocket"));
        }
    }

    @Override
    public void send(List<byte[]> frames, Callback written) {
        CoreSession open = session;
        if (open == null) {
            written.failed(new EofException("no WebSocket"));
            return;
        }
        int last = frames.size() - 1;
        for (int i = 0; i < last; i++) {
            open.sendFrame(message(frames.get(i)), Callback.NOOP, true);
        }
        // Messages are sent in order, so completion of the last implies all; a failure fails the following ones.
        open.sendFrame(message(frames.get(last)), written, false);
    }

    private Frame message(byte[] frame) {
        return text
                ? new Frame(OpCode.TEXT, ByteBuffer.wrap(frame))
                : new Frame(
                        OpCode.BINARY,
                        ByteBuffer.wrap(frame, LENGTH_BYTES, frame.length - LENGTH_BYTES)
                                .slice());
    }

    @Override
    public void end(Callback written) {
        CoreSession open = session;
        if (open == null) {
            written.failed(new EofException("no WebSocket"));
            return;
        }
        open.close(CloseStatus.NORMAL, null, written);
    }

    /** Does nothing: the upgrade completed the request. */
    @Override
    public void complete() {}

    @Override
    public void abort(Throwable cause) {
        CoreSession open = session;
        if (open != null) {
            open.abort();
        }
    }
}
