package io.plat.tests.drill;

import io.plat.tests.process.ConnectionPipe;
import io.plat.tests.process.ListeningPort;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** A port that forwards connections to a process, or to the first reachable one of several. */
final class ForwardedPort implements AutoCloseable {
    private static final int BUFFER_SIZE = 16 * 1024;

    /** A route to a process, which may be restarted on another port. */
    record Route(Link link, IntSupplier port) {}

    private final ListeningPort listening;
    private final Function<Socket, List<Route>> routes;

    private ForwardedPort(Function<Socket, List<Route>> routes) {
        this.routes = routes;
        this.listening = ListeningPort.open(this::connect);
    }

    /**
     * Listens on a loopback address.
     *
     * @param routes returns the routes for a connection, in the order in which they are tried
     */
    static ForwardedPort open(Function<Socket, List<Route>> routes) {
        return new ForwardedPort(routes);
    }

    int port() {
        return listening.number();
    }

    private void connect(Socket client) {
        for (Route route : routes.apply(client)) {
            if (route.link().isCut()) {
                continue;
            }
            try {
                Socket server = new Socket(
                        InetAddress.getLoopbackAddress(), route.port().getAsInt());
                server.setTcpNoDelay(true);
                client.setTcpNoDelay(true);
                route.link().join(client);
                route.link().join(server);
                Thread.ofVirtual().start(() -> copy(client, server, route.link()));
                Thread.ofVirtual().start(() -> copy(server, client, route.link()));
                return;
            } catch (IOException unreachable) {
                // Tries the next route.
            }
        }
        ConnectionPipe.end(client);
    }

    private static void copy(Socket from, Socket to, Link link) {
        byte[] buffer = new byte[BUFFER_SIZE];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                link.pass();
                out.write(buffer, 0, read);
            }
        } catch (IOException e) {
            // One end was closed; the other one is closed below, once the link permits.
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
