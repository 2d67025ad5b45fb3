package io.plat.tests.apiserver.audit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.TestPki;
import io.plat.tls.ClientCertificates;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A webhook that accepts events after refusing the first requests. */
final class EventReceiver implements AutoCloseable {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger busyFor;
    private final ServerTls tls;
    private final HttpsServer server;
    private final TestPki pki;

    /** Starts listening; the first few requests are refused as overloaded. */
    EventReceiver(TestPki pki, int busyFor) {
        this.pki = pki;
        this.busyFor = new AtomicInteger(busyFor);
        try {
            tls = new ServerTls(
                    new ServerTls.Config(
                            PemSource.file(Path.of(pki.file("server.crt"))),
                            PemSource.file(Path.of(pki.file("server.key"))),
                            PemSource.file(Path.of(pki.file("ca.crt"))),
                            ClientCertificates.REQUIRED),
                    ReloadListener.none(),
                    InstantSource.system());
            server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (PemException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            boolean busy = busyFor.getAndDecrement() > 0;
            if (!busy) {
                received.add(body);
            }
            exchange.sendResponseHeaders(busy ? 503 : 200, -1);
        }
    }

    /** Returns the client configuration file for it. */
    Path clientFile() {
        return ClientFiles.write(
                pki,
                "audit.conf",
                URI.create("https://localhost:" + server.getAddress().getPort()),
                "admin");
    }

    /** Returns the received bodies. */
    List<String> received() {
        return List.copyOf(received);
    }

    @Override
    public void close() {
        server.stop(0);
        tls.close();
    }
}
