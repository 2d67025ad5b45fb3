package io.plat.apiserver.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;

/**
 * Detects the disconnect of a streaming client. The server does not read while it responds, so it would notice a closed connection
 * only on its next write, which may be hours later in a quiet watch.
 *
 * <p>Bytes that a client sends meanwhile belong to its next request: they are returned to the connection, and nothing more is read from
 * then on.
 */
public final class ClientPresence {
    private static final int ROOM = 512;

    private final Connection connection;
    private final EndPoint endPoint;
    private final Consumer<Throwable> onGone;
    private boolean over;

    /** @param onGone called at most once; must return immediately */
    public ClientPresence(Connection connection, Consumer<Throwable> onGone) {
        this.connection = connection;
        this.endPoint = connection.getEndPoint();
        this.onGone = onGone;
    }

    public synchronized void begin() {
        check();
    }

    private void check() {
        endPoint.fillInterested(Callback.from(InvocationType.NON_BLOCKING, this::readable, this::broken));
    }

    private void readable() {
        try {
            if (!present()) {
                onGone.accept(new EofException("the client has disconnected"));
            }
        } catch (IOException e) {
            onGone.accept(e);
        }
    }

    private synchronized boolean present() throws IOException {
        if (over) {
            return true;
        }
        ByteBuffer received = BufferUtil.allocate(ROOM);
        int count = endPoint.fill(received);
        if (count == 0) {
            check();
        } else if (count > 0) {
            over = true;
            ((Connection.UpgradeTo) connection).onUpgradeTo(received);
        }
        return count >= 0;
    }

    private void broken(Throwable cause) {
        boolean expected;
        synchronized (this) {
            expected = over;
        }
        if (!expected) {
            onGone.accept(cause);
        }
    }

    /** Stops the detection: the connection may read again. */
    public synchronized void end() {
        over = true;
        // The connection interprets a pending read as a failure of the handler.
        if (endPoint instanceof AbstractEndPoint reading) {
            reading.getFillInterest().onFail(new EofException("the answer is complete"));
        }
    }
}
