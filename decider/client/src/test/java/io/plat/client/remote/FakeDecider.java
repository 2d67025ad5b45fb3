package io.plat.client.remote;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A decider on a loopback port with just enough HTTP/1.1 to send scripted bytes. The last script is used for every later
 * request.
 */
public final class FakeDecider implements AutoCloseable {
    private final SSLContext tls;
    private final ServerSocket listening;
    private final Queue<Script> scripts = new ConcurrentLinkedQueue<>();
    private volatile Script last;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();

    public final AtomicInteger connections = new AtomicInteger();
    public final List<Request> requests = new CopyOnWriteArrayList<>();

    public record Request(String head, String body, String client) {}

    /** Handles a request; returns whether the connection stays open. */
    @FunctionalInterface
    public interface Script {
        boolean answer(SSLSocket connection, Request request) throws IOException;
    }

    public FakeDecider(SSLContext tls, Script... scripts) throws IOException {
        this(tls, InetAddress.getLoopbackAddress(), 0, scripts);
    }

    /** One of several behind one name: at another loopback address, on the port of the first. */
    public FakeDecider(SSLContext tls, InetAddress address, int port, Script... scripts) throws IOException {
        this.tls = tls;
        this.listening = new ServerSocket(port, 50, address);
        this.scripts.addAll(List.of(scripts));
        this.last = scripts[scripts.length - 1];
        Thread.ofVirtual().start(this::accept);
    }

    public URI url() {
        return URI.create("https://localhost:" + listening.getLocalPort() + "/authorize");
    }

    /** A complete HTTP response. */
    public static Script http(String status, String type, String body) {
        return (connection, _) -> {
            byte[] content = body.getBytes(StandardCharsets.UTF_8);
            write(connection, "HTTP/1.1 " + status + "\r\n" + type + "Content-Length: " + content.length + "\r\n\r\n");
            connection.getOutputStream().write(content);
            return true;
        };
    }

    public static Script json(String status, String body) {
        return http(status, "Content-Type: application/json\r\n", body);
    }

    /** Sends bytes, and closes the connection. */
    public static Script raw(String bytes) {
        return (connection, _) -> {
            write(connection, bytes);
            return false;
        };
    }

    /** Closes the connection without a response. */
    public static Script reset() {
        return (_, _) -> false;
    }

    /** Sends nothing until the client closes the connection. */
    public static Script silence(String begin) {
        return (connection, _) -> {
            write(connection, begin);
            while (connection.getInputStream().read() >= 0) {
                // Later requests are not answered either.
            }
            return false;
        };
    }

    private static void write(SSLSocket connection, String bytes) throws IOException {
        OutputStream out = connection.getOutputStream();
        out.write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket connection = listening.accept();
                connections.incrementAndGet();
                sockets.add(connection);
                if (listening.isClosed()) {
                    // Accepted while this was closed: the closing thread may have missed it.
                    connection.close();
                    return;
                }
                Thread.ofVirtual().start(() -> serve(connection));
            } catch (IOException e) {
                // Closed, or the client closed the connection before it was accepted.
            }
        }
    }

    private void serve(Socket accepted) {
        try (SSLSocket connection = (SSLSocket) tls.getSocketFactory().createSocket(accepted, null, true)) {
            connection.setUseClientMode(false);
            connection.setNeedClientAuth(true);
            InputStream in = new BufferedInputStream(connection.getInputStream());
            boolean open = true;
            for (Request request = read(connection, in); open && request != null; ) {
                requests.add(request);
                Script script = scripts.poll();
                open = (script == null ? last : script).answer(connection, request);
                request = open ? read(connection, in) : null;
            }
        } catch (IOException e) {
            // The client closed the connection, as many tests expect.
        }
    }

    private static @Nullable Request read(SSLSocket connection, InputStream in) throws IOException {
        List<String> head = new ArrayList<>();
        int length = 0;
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.add(line);
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length: ")) {
                length = Integer.parseInt(line.substring("content-length: ".length()));
            }
        }
        if (head.isEmpty()) {
            return null;
        }
        String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
        return new Request(
                String.join("\n", head),
                body,
                connection.getSession().getPeerPrincipal().getName());
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (b != '\r') {
                line.write(b);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** Stops listening and closes all connections, like a killed process. */
    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
