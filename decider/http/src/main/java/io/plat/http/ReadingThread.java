package io.plat.http;

import io.plat.http.FairTls.TurnTakingConnection.TurnTakingEndPoint;
import org.eclipse.jetty.server.Request;

/**
 * The thread that reads a connection. Usually it reads others as well, and must not block. A connection whose last request blocked is read by a
 * thread that first hands over the selector to another one, so that the next request can block on it without waking another thread. Other
 * connections avoid the handover, which costs as much.
 */
public final class ReadingThread {
    private ReadingThread() {}

    /** Returns whether a handler of this request may block on the calling thread. */
    public static boolean mayWait(Request request) {
        return request.getConnectionMetaData().getConnection().getEndPoint() instanceof TurnTakingEndPoint connection
                && connection.mayWait();
    }

    /** Sets whether the next request on the same connection is expected to block. Must be called before this one is answered. */
    public static void expectWait(Request request, boolean wait) {
        if (request.getConnectionMetaData().getConnection().getEndPoint() instanceof TurnTakingEndPoint connection) {
            connection.expectWait(wait);
        }
    }
}
