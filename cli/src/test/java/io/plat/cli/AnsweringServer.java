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
import java.util.ArrayList;
import java.util.List;

/** A server that answers every request with one text, whatever was asked. */
final class AnsweringServer implements AutoCloseable {
    private final Path folder;
    private final ServerTls tls;
    private final HttpsServer server;
    private volatile int code;
    private volatile String text = "";

    /** A server with certificates in this folder. */
    AnsweringServer(Path folder) throws IOException, PemException {
        this.folder = folder;
        String pki = folder.toString();
        Typed.plat("pki", "init", "--dir", pki);
        Typed.plat("pki", "issue", "server", "--dir", pki, "--server", "--san", "localhost");
        Typed.plat("pki", "issue", "me", "--dir", pki, "--client");
        tls = ServerTls.open(
                ServerTls.Config.requiring(file("server.crt"), file("server.key"), file("ca.crt")),
                ReloadListener.none(),
                InstantSource.system());
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
        server.createContext("/", this::answer);
        server.start();
    }

    private PemSource file(String name) {
        return PemSource.file(folder.resolve(name));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            byte[] body = text.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(code, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** What plat makes of an answer. */
    Typed answering(int status, String body, String... arguments) {
        code = status;
        text = body;
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--server=" + url());
        all.add("--certificate-authority=" + folder.resolve("ca.crt"));
        all.add("--client-certificate=" + folder.resolve("me.crt"));
        all.add("--client-key=" + folder.resolve("me.key"));
        return Typed.plat(all.toArray(String[]::new));
    }

    /** Where it listens. */
    String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        tls.close();
    }
}
