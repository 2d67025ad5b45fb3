package io.plat.tests.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A port that stands for a server's, whichever port that has. The line can be cut: connections end, and new ones are ended at once, as if
 * the server were away.
 */
public final class CuttableLine implements AutoCloseable {
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** The server's port, 0 while the line is cut. */
    private volatile int target;

    private final ListeningPort listening;

    private CuttableLine() {
        listening = ListeningPort.open(this::lead);
    }

    /** A line that leads nowhere yet. */
    public static CuttableLine create() {
        return new CuttableLine();
    }

    /** Its port. */
    public int port() {
        return listening.number();
    }

    /** Leads to a port from now on. */
    public void connect(int port) {
        target = port;
    }

    /** Leads nowhere from now on. */
    public void cut() {
        target = 0;
        sockets.forEach(Splice::end);
        sockets.clear();
    }

    private void lead(Socket client) throws IOException {
        sockets.removeIf(Socket::isClosed);
        int port = target;
        if (port == 0) {
            Splice.end(client);
            return;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.addAll(List.of(client, server));
        if (target == 0) {
            // Cut meanwhile.
            Splice.end(server);
            Splice.end(client);
        } else {
            Splice.of(client, server);
        }
    }

    @Override
    public void close() {
        listening.close();
        cut();
    }
}
