package io.plat.tests.drill;

import io.plat.tests.process.Splice;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The network between two processes, for all connections from one to the other: open, cut (connections end, and new ones are refused), silent
 * (nothing comes through until it is restored; then all of it does, as TCP sends again what was lost) or slow.
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

    /** As if nothing had been. */
    void mend() {
        cut = false;
        millis = 0;
        CompletableFuture<Void> closed = gate;
        gate = OPEN;
        closed.complete(null);
    }

    boolean isCut() {
        return cut;
    }

    /** Takes part in what becomes of the link. */
    void join(Socket socket) {
        sockets.add(socket);
        if (cut) {
            Splice.end(socket);
        }
    }

    void leave(Socket socket) {
        sockets.remove(socket);
        Splice.end(socket);
    }

    /** Waits for as long as the link keeps what is on its way. */
    void pass() {
        gate.join();
        if (millis > 0) {
            new CompletableFuture<Void>()
                    .completeOnTimeout(null, millis, TimeUnit.MILLISECONDS)
                    .join();
        }
    }

    void closeAll() {
        sockets.forEach(Splice::end);
        sockets.clear();
    }
}
