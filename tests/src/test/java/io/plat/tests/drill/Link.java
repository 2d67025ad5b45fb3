package io.plat.tests.drill;

import io.plat.tests.process.ConnectionPipe;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The network between two processes, for all connections in one direction: open, cut (connections are closed, and new ones refused), silent
 * (no data passes until it is restored; then all of it does, like TCP retransmissions) or slow.
 */
final class Link {
    private static final CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);

    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile CompletableFuture<Void> gate = OPEN;
    private volatile boolean cut;
    private volatile int millis;

    void cut() {
        cut = true;
        closeAll();
    }

    void silence() {
        gate = new CompletableFuture<>();
    }

    void slow(int delayMillis) {
        millis = delayMillis;
    }

    /** Restores normal operation. */
    void restore() {
        cut = false;
        millis = 0;
        CompletableFuture<Void> closed = gate;
        gate = OPEN;
        closed.complete(null);
    }

    boolean isCut() {
        return cut;
    }

    /** Adds a connection to the link. */
    void join(Socket socket) {
        sockets.add(socket);
        if (cut) {
            ConnectionPipe.end(socket);
        }
    }

    void leave(Socket socket) {
        sockets.remove(socket);
        ConnectionPipe.end(socket);
    }

    /** Waits while the link holds data back. */
    void pass() {
        gate.join();
        if (millis > 0) {
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    void closeAll() {
        sockets.forEach(ConnectionPipe::end);
        sockets.clear();
    }
}
