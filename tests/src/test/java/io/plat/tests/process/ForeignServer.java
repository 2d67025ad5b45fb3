package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Third-party servers, which cannot choose and report a free port. */
public final class ForeignServer {
    private static final Duration START = Duration.ofMinutes(1);
    // Below the ephemeral ports of Linux, 32768 to 60999.
    private static final int FIRST_PORT = 20_000;
    private static final int PORTS = 12_000;

    private static final AtomicInteger NEXT =
            new AtomicInteger(ThreadLocalRandom.current().nextInt(PORTS));

    private ForeignServer() {}

    /** Returns a port that was free a moment ago, and that neither another call nor a socket on an ephemeral port gets. */
    public static int freePort() throws IOException {
        for (int attempt = 0; attempt < PORTS; attempt++) {
            int port = FIRST_PORT + Math.floorMod(NEXT.getAndIncrement(), PORTS);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException taken) {
                // The next one may be free.
            }
        }
        throw new BindException("no free port from " + FIRST_PORT + " to " + (FIRST_PORT + PORTS - 1));
    }

    /**
     * Waits until a server accepts connections.
     *
     * @param message file with its output
     * @throws IOException with its output, if it ends instead
     */
    public static void awaitOn(int port, String name, Process process, Path message) throws IOException {
        await(name).atMost(START).until(() -> !process.isAlive() || accepts(port));
        if (!process.isAlive()) {
            throw new IOException(name + " ended: " + Files.readString(message));
        }
    }

    private static boolean accepts(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
