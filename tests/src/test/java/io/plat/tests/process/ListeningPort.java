package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A port on loopback, until it is closed. Each connection is handled on a thread of its own. */
public final class ListeningPort implements AutoCloseable {
    private static final int BACKLOG = 200;

    private final ServerSocket listening;
    private final Handler handler;

    private ListeningPort(ServerSocket listening, Handler handler) {
        this.listening = listening;
        this.handler = handler;
    }

    /** Handler of a connection. */
    @FunctionalInterface
    public interface Handler {
        /**
         * Handles a connection, whose end is up to it.
         *
         * @throws IOException if nothing can become of it: it is ended, by which the client finds out
         */
        void handle(Socket client) throws IOException;
    }

    /** Listens from now on. */
    public static ListeningPort open(Handler handler) {
        try {
            ListeningPort port =
                    new ListeningPort(new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress()), handler);
            Thread.ofVirtual().name("listening").start(port::accept);
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its number. */
    public int number() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> handle(client));
            } catch (IOException closed) {
                // By close: the loop ends.
            }
        }
    }

    private void handle(Socket client) {
        try {
            handler.handle(client);
        } catch (IOException e) {
            Splice.end(client);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
