package io.plat.tests.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;

/** Two connections that forward data to each other until one ends. */
public final class ConnectionPipe {
    private ConnectionPipe() {}

    /** Forwards data in both directions, on separate threads. */
    static void of(Socket one, Socket other) {
        Thread.ofVirtual().start(() -> copy(one, other));
        Thread.ofVirtual().start(() -> copy(other, one));
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One end was closed; the other one is closed below.
        }
        end(to);
    }

    /** Closes a connection. */
    public static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
