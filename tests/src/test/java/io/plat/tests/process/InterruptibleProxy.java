package io.plat.tests.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A proxy port for a server, whose port may change. When it is interrupted, connections are closed, and new ones are closed at once, as if
 * the server were down.
 */
public final class InterruptibleProxy implements AutoCloseable {
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    /** The server's port, 0 while interrupted. */
    private volatile int target;

    private final ListeningPort listening;

    private InterruptibleProxy() {
        listening = ListeningPort.open(this::lead);
    }

    /** Opens a proxy without a target. */
    public static InterruptibleProxy create() {
        return new InterruptibleProxy();
    }

    /** Returns its port. */
    public int port() {
        return listening.number();
    }

    /** Sets the target port. */
    public void connect(int port) {
        target = port;
    }

    /** Interrupts all connections. */
    public void cut() {
        target = 0;
        sockets.forEach(ConnectionPipe::end);
        sockets.clear();
    }

    private void lead(Socket client) throws IOException {
        sockets.removeIf(Socket::isClosed);
        int port = target;
        if (port == 0) {
            ConnectionPipe.end(client);
            return;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.addAll(List.of(client, server));
        if (target == 0) {
            // Interrupted meanwhile.
            ConnectionPipe.end(server);
            ConnectionPipe.end(client);
        } else {
            ConnectionPipe.of(client, server);
        }
    }

    @Override
    public void close() {
        listening.close();
        cut();
    }
}
