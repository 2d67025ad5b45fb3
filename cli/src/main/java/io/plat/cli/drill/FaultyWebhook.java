package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.process.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** A webhook that fails in one way at a time. Every connection has one response, so that each fault starts from scratch. */
final class FaultyWebhook implements AutoCloseable {
    private static final Pattern VERSION = Pattern.compile("\"apiVersion\"\\s*:\\s*\"([a-z0-9./]+)\"");
    private static final byte[] NO_REVISIONS =
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);
    private static final int IDLE_MILLIS = 60_000;
    private static final int TRICKLE_MILLIS = 1_000;

    private final ServerSocket listener;
    private final Map<WebhookFault.Certificate, SSLContext> certificates;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile ActiveFault active = new ActiveFault(WebhookFault.allowing());

    /**
     * The period of one fault, with its connections. A connection belongs to the period in which it was accepted, even if it is served later.
     *
     * @param connections the number of connections
     */
    private record ActiveFault(WebhookFault fault, AtomicInteger connections) {
        ActiveFault(WebhookFault fault) {
            this(fault, new AtomicInteger());
        }
    }

    private FaultyWebhook(ServerSocket listener, Map<WebhookFault.Certificate, SSLContext> certificates) {
        this.listener = listener;
        this.certificates = certificates;
        Tasks.virtual("faulty-webhook", this::accept);
    }

    /**
     * Listens.
     *
     * @param address host and port; the port 0 picks one
     */
    static FaultyWebhook listen(String address, Map<WebhookFault.Certificate, SSLContext> certificates) {
        int colon = address.lastIndexOf(':');
        String host = colon < 0 ? "" : address.substring(0, colon).replaceAll("[\\[\\]]", "");
        String port = address.substring(colon + 1);
        if (host.isEmpty() || !port.matches("[0-9]{1,5}")) {
            throw CommandException.usage(
                    "--listen: expected an address such as 127.0.0.1:9443, found \"" + address + "\"");
        }
        try {
            ServerSocket listener = new ServerSocket();
            listener.setReuseAddress(true);
            listener.bind(new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(port)));
            return new FaultyWebhook(listener, certificates);
        } catch (IOException | IllegalArgumentException e) {
            throw CommandException.io("--listen: cannot listen on \"" + address + "\"", e);
        }
    }

    int port() {
        return listener.getLocalPort();
    }

    /** Activates a fault; open connections are closed. */
    void activate(WebhookFault next) {
        active = new ActiveFault(next);
        open.forEach(FaultyWebhook::abort);
    }

    /** Returns the number of connections since then. */
    int connections() {
        return active.connections().get();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket socket = listener.accept();
                ActiveFault current = active;
                current.connections().incrementAndGet();
                open.add(socket);
                Tasks.virtual("faulty-webhook connection", () -> serve(socket, current));
            } catch (IOException closed) {
                // Closed, or out of file descriptors: the next iteration distinguishes them.
                Thread.onSpinWait();
            }
        }
    }

    private void serve(Socket socket, ActiveFault current) {
        try (socket) {
            socket.setSoTimeout(IDLE_MILLIS);
            WebhookFault.Certificate certificate = current.fault().certificate();
            Socket connection = certificate == WebhookFault.Certificate.NONE ? socket : tls(socket, certificate);
            String request = HttpText.read(connection.getInputStream());
            respond(connection, socket, current, request);
        } catch (IOException expected) {
            // A client that rejects the certificate, or has timed out: the purpose of the drill.
            abort(socket);
        } finally {
            open.remove(socket);
        }
    }

    private SSLSocket tls(Socket socket, WebhookFault.Certificate certificate) throws IOException {
        SSLContext context = Objects.requireNonNull(certificates.get(certificate));
        if (!(context.getSocketFactory().createSocket(socket, "drill", socket.getPort(), true)
                instanceof SSLSocket tls)) {
            throw new IOException("no TLS socket");
        }
        tls.setUseClientMode(false);
        // The client's certificate is ignored: the client is the one under test.
        tls.setWantClientAuth(false);
        tls.startHandshake();
        return tls;
    }

    private void respond(Socket connection, Socket socket, ActiveFault current, String request) throws IOException {
        OutputStream out = connection.getOutputStream();
        if (request.isEmpty() || request.startsWith("GET ")) {
            // Not a review: some clients subscribe to revisions as well, and connect before their first review.
            current.connections().decrementAndGet();
            out.write(NO_REVISIONS);
            out.flush();
            return;
        }
        Matcher version = VERSION.matcher(request);
        // A followed redirect leads to a webhook that allows.
        WebhookFault fault = request.contains("/elsewhere HTTP/") ? WebhookFault.allowing() : current.fault();
        byte[] answer = fault.answerTo(version.find() ? version.group(1) : "authorization.k8s.io/v1");
        switch (fault.behaviour()) {
            case ANSWER -> {
                out.write(answer);
                out.flush();
            }
            case SILENT -> {
                // Until the client times out.
                int unused = connection.getInputStream().read();
            }
            case TRICKLE -> trickle(out, answer);
            case RESET -> abort(socket);
            case CLOSE -> {}
        }
    }

    private static void trickle(OutputStream out, byte[] answer) throws IOException {
        for (byte octet : answer) {
            out.write(octet);
            out.flush();
            try {
                Thread.sleep(TRICKLE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static void abort(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyClosed) {
            // The connection is closed already.
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw CommandException.io("--listen", e);
        } finally {
            open.forEach(FaultyWebhook::abort);
        }
    }
}
