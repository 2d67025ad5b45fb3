package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A port that stands for a server's, whichever port that has. The line can be cut: connections end, and new ones are ended at once, as if
 * the server were away.
 */
public final class CuttableLine implements AutoCloseable {
    private final ServerSocket listening;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** The server's port, 0 while the line is cut. */
    private volatile int target;

    private CuttableLine(ServerSocket listening) {
        this.listening = listening;
    }

    /** A line that leads nowhere yet. */
    public static CuttableLine create() {
        try {
            CuttableLine line = new CuttableLine(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
            Thread.ofVirtual().start(line::accept);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its port. */
    public int port() {
        return listening.getLocalPort();
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

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                sockets.add(client);
                if (target == 0) {
                    Splice.end(client);
                } else {
                    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                    sockets.add(server);
                    Splice.of(client, server);
                }
            } catch (IOException e) {
                // Closed, or the server is away indeed: the client finds out by its own connection.
                sockets.removeIf(Socket::isClosed);
            }
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
