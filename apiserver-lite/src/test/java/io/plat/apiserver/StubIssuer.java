package io.plat.apiserver;

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
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An OpenID Connect issuer with configurable responses, which counts requests. */
final class StubIssuer implements AutoCloseable {
    private static final String CONFIGURATION = "/.well-known/openid-configuration";

    private final ServerTls tls;
    private final HttpsServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, String> documents = new ConcurrentHashMap<>();
    private volatile int code = 200;

    StubIssuer(TestingPki pki) throws IOException, PemException {
        tls = new ServerTls(
                ServerTls.Config.requesting(PemSource.file(pki.certificateFile()), PemSource.file(pki.keyFile())),
                ReloadListener.none(),
                InstantSource.system());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
        documents.put(CONFIGURATION, "{\"issuer\":\"" + url() + "\",\"jwks_uri\":\"" + url() + "/keys\"}");
    }

    String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    /** Sets the key set. */
    void keys(String text) {
        documents.put("/keys", text);
    }

    /** Sets the configuration. */
    void configuration(String text) {
        documents.put(CONFIGURATION, text);
    }

    /** Sets the status code of all responses. */
    void respondWith(int status) {
        code = status;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String text = documents.getOrDefault(exchange.getRequestURI().getPath(), "");
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(text.isEmpty() ? 404 : code, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        tls.close();
    }
}
