package io.plat.tests.drill;

import io.plat.tests.process.ListeningPort;
import io.plat.tests.process.Splice;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** A port that stands for a process, or for several of which any will do. Each connection takes the first way that is there. */
final class Line implements AutoCloseable {
    private static final int PIECE = 16 * 1024;

    /** A way to a process, which may be another one by now. */
    record Way(Link link, IntSupplier port) {}

    private final ListeningPort listening;
    private final Function<Socket, List<Way>> ways;

    private Line(Function<Socket, List<Way>> ways) {
        this.ways = ways;
        this.listening = ListeningPort.open(this::connect);
    }

    /**
     * Listens on loopback.
     *
     * @param ways the ways for a connection that was made, in the order in which they are tried
     */
    static Line open(Function<Socket, List<Way>> ways) {
        return new Line(ways);
    }

    int port() {
        return listening.number();
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
        Splice.end(client);
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
        listening.close();
    }
}
