package io.plat.tests.drill;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** A port that stands for a process, or for several of which any will do. Each connection takes the first way that is there. */
final class Line implements AutoCloseable {
    private static final int PIECE = 16 * 1024;

    /** A way to a process, which may be another one by now. */
    record Way(Link link, IntSupplier port) {}

    private final ServerSocket listening;
    private final Function<Socket, List<Way>> ways;

    private Line(ServerSocket listening, Function<Socket, List<Way>> ways) {
        this.listening = listening;
        this.ways = ways;
    }

    /**
     * Listens on loopback.
     *
     * @param ways the ways for a connection that was made, in the order in which they are tried
     */
    static Line open(Function<Socket, List<Way>> ways) {
        try {
            Line line = new Line(new ServerSocket(0, 200, InetAddress.getLoopbackAddress()), ways);
            Thread.ofVirtual().name("line").start(line::accept);
            return line;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return listening.getLocalPort();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket client = listening.accept();
                Thread.ofVirtual().start(() -> connect(client));
            } catch (IOException closed) {
                // By close: the loop ends.
            }
        }
    }

    private void connect(Socket client) {
        for (Way way : ways.apply(client)) {
            if (way.link().isCut()) {
                continue;
            }
            try {
                Socket server =
                        new Socket(InetAddress.getLoopbackAddress(), way.port().getAsInt());
                server.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                way.link().join(client);
                way.link().join(server);
                Thread.ofVirtual().start(() -> copy(client, server, way.link()));
                Thread.ofVirtual().start(() -> copy(server, client, way.link()));
                return;
            } catch (IOException away) {
                // The next way, if there is one.
            }
        }
        Link.end(client);
    }

    private static void copy(Socket from, Socket to, Link link) {
        byte[] piece = new byte[PIECE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                link.pass();
                out.write(piece, 0, read);
            }
        } catch (IOException e) {
            // One end has gone; the other is told below, once the link lets it.
        }
        link.pass();
        link.leave(to);
        link.leave(from);
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
