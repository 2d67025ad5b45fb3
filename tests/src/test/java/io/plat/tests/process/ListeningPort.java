package io.plat.tests.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A loopback port, until it is closed. Each connection is handled by its own thread. */
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
         * Handles a connection, and closes it.
         *
         * @throws IOException if it fails: the connection is closed
         */
        void handle(Socket client) throws IOException;
    }

    /** Starts listening. */
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

    /** Returns its number. */
    public int number() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> handle(client));
            } catch (IOException closed) {
                // Closed: the loop ends.
            }
        }
    }

    private void handle(Socket client) {
        try {
            handler.handle(client);
        } catch (IOException e) {
            ConnectionPipe.end(client);
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
