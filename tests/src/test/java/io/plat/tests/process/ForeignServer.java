package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Third-party servers, which cannot choose and report a free port. */
public final class ForeignServer {
    private static final Duration START = Duration.ofMinutes(1);

    private ForeignServer() {}

    /** Returns a port that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
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
