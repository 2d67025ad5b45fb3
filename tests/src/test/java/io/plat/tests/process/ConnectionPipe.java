package io.plat.tests.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;

/** Two connections of which each gets what the other says, until one ends. */
public final class Splice {
    private Splice() {}

    /** Passes on what either says, on threads of its own. */
    static void of(Socket one, Socket other) {
        Thread.ofVirtual().start(() -> copy(one, other));
        Thread.ofVirtual().start(() -> copy(other, one));
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream()) {
            in.transferTo(to.getOutputStream());
        } catch (IOException e) {
            // One end has gone; the other is told below.
        }
        end(to);
    }

    /** Ends a connection. */
    public static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
