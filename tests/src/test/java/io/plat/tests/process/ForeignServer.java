package io.plat.tests.process;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** Servers of others, which can't pick a port and say so. */
public final class Listening {
    private static final Duration START = Duration.ofMinutes(1);

    private Listening() {}

    /** A port that was free a moment ago. */
    public static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    /**
     * Waits until a server accepts connections.
     *
     * @param said the file that its output goes to
     * @throws IOException with its output, if it ends instead
     */
    public static void awaitOn(int port, String name, Process process, Path said) throws IOException {
        await(name).atMost(START).until(() -> !process.isAlive() || accepts(port));
        if (!process.isAlive()) {
            throw new IOException(name + " ended: " + Files.readString(said));
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
