package io.plat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/** A server with a scripted response function, which records requests and the number of connections. */
public final class ScriptedServer implements AutoCloseable {
    private static final String REFUSAL =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"%s\",\"reason\":\"%s\",\"code\":%d}";

    private final Path directory;
    private final ServerTls tls;
    private final HttpsServer server;
    private final List<RecordedRequest> requested = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();

    /**
     * A request.
     *
     * @param target method, path and query
     * @param fields headers, with names as in the JDK
     * @param body the body as text
     * @param from the client's address, one per connection
     */
    public record RecordedRequest(
            String target, Map<String, List<String>> fields, String body, InetSocketAddress from) {}

    /** A response. */
    public record Reply(int code, String body) {
        /** Returns JSON with 201. */
        public static Reply created(String body) {
            return new Reply(201, body);
        }

        /** Returns a Status failure, as in Kubernetes. */
        public static Reply refusal(int code, String reason, String message) {
            return new Reply(code, REFUSAL.formatted(message, reason, code));
        }
    }

    /** Creates a server with certificates in this directory. */
    public ScriptedServer(Path directory, Function<RecordedRequest, Reply> script) throws IOException, PemException {
        this.directory = directory;
        String pki = directory.toString();
        CommandRun.plat("pki", "init", "--dir", pki);
        CommandRun.plat("pki", "issue", "server", "--dir", pki, "--server", "--san", "localhost");
        CommandRun.plat("pki", "issue", "me", "--dir", pki, "--client");
        tls = new ServerTls(
                ServerTls.Config.requiring(file("server.crt"), file("server.key"), file("ca.crt")),
                ReloadListener.none(),
                InstantSource.system());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
        server.createContext("/", exchange -> answer(exchange, script));
        server.start();
    }

    private PemSource file(String name) {
        return PemSource.file(directory.resolve(name));
    }

    private void answer(HttpExchange exchange, Function<RecordedRequest, Reply> script) throws IOException {
        try (exchange) {
            RecordedRequest request = new RecordedRequest(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                    exchange.getRequestHeaders(),
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                    exchange.getRemoteAddress());
            requested.add(request);
            Reply reply = script.apply(request);
            byte[] body = reply.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(reply.code(), body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        } catch (RuntimeException | Error failure) {
            // The JDK's server would close the connection silently, and the test would not see the cause.
            failures.add(failure);
            throw failure;
        }
    }

    /** Returns the requests so far, and clears them. */
    public List<RecordedRequest> requests() {
        List<RecordedRequest> all = List.copyOf(requested);
        requested.clear();
        return all;
    }

    /** Returns the flags for this server and a client certificate. */
    public String[] with(String... arguments) {
        return Stream.concat(
                        List.of(arguments).stream(),
                        List.of(
                                "--server=" + url(),
                                "--certificate-authority=" + directory.resolve("ca.crt"),
                                "--client-certificate=" + directory.resolve("me.crt"),
                                "--client-key=" + directory.resolve("me.key"))
                                .stream())
                .toArray(String[]::new);
    }

    /** Runs plat with this server. */
    public CommandRun plat(String... arguments) {
        return CommandRun.plat(with(arguments));
    }

    /** Returns the URL. */
    public String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        tls.close();
        if (!failures.isEmpty()) {
            throw new AssertionError("the script failed", failures.getFirst());
        }
    }
}
