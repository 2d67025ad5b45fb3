package io.plat.tests.proxies;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The application behind a proxy: responds 200 to everything, and records the bytes of each request's head. */
final class RecordingApplication implements AutoCloseable {
    private final ServerSocket socket;
    private final List<Head> heads = new CopyOnWriteArrayList<>();

    /**
     * The head of a request.
     *
     * @param lines request line and headers, in ISO 8859-1
     */
    record Head(List<String> lines) {
        String method() {
            return lines.getFirst().split(" ", 2)[0];
        }

        String target() {
            String line = lines.getFirst();
            return line.substring(line.indexOf(' ') + 1, line.lastIndexOf(' '));
        }

        Optional<String> field(String name) {
            String prefix = name.toLowerCase(Locale.ROOT) + ":";
            return lines.stream()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(prefix))
                    .map(line -> line.substring(prefix.length()).strip())
                    .findFirst();
        }
    }

    RecordingApplication() throws IOException {
        socket = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    int port() {
        return socket.getLocalPort();
    }

    List<Head> heads() {
        return heads;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket connection = socket.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            var head = new StringBuilder();
            for (int next = in.read(); next >= 0; next = in.read()) {
                head.append((char) next);
                if (head.length() > 4 && head.substring(head.length() - 4).equals("\r\n\r\n")) {
                    heads.add(new Head(head.toString().strip().lines().toList()));
                    connection
                            .getOutputStream()
                            .write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"
                                    .getBytes(StandardCharsets.US_ASCII));
                    return;
                }
            }
        } catch (IOException ended) {
            System.out.println("a proxy closed its connection: " + ended);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
