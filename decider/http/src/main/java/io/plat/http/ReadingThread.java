package io.plat.http;

import org.eclipse.jetty.server.Request;

/**
 * The thread that reads a connection. Usually it reads others besides, and must not wait. A connection whose last request had to wait for
 * somebody is read by a thread that gives its place at the selector to another one first: its next request can be answered there, and is
 * not handed to a thread that has to be woken. All others are spared the handing over of that place, which costs as much.
 */
public final class ReadingThread {
    private ReadingThread() {}

    /** A connection that knows what its last request had to do. For any number of threads. */
    interface Connection {
        /** Whether the thread that calls this reads the connection and nothing else. */
        boolean mayWait();

        /** Says what is to be expected of the next request. */
        void expectWait(boolean wait);
    }

    /** Whether a handler that is called with this request may wait on the thread that calls it. */
    public static boolean mayWait(Request request) {
        return request.getConnectionMetaData().getConnection().getEndPoint() instanceof Connection connection
                && connection.mayWait();
    }

    /** Says whether the next request on this one's connection is likely to wait. To be called before this one is answered. */
    public static void expectWait(Request request, boolean wait) {
        if (request.getConnectionMetaData().getConnection().getEndPoint() instanceof Connection connection) {
            connection.expectWait(wait);
        }
    }
}
