package io.plat.tests.browser;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A web server of another origin with one empty page at every path, over TLS. */
final class WebPages implements AutoCloseable {
    private static final byte[] PAGE = "<!doctype html><title>page</title><body>".getBytes(StandardCharsets.UTF_8);

    private final HttpsServer server;

    WebPages(TestPki pki) throws IOException {
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setHttpsConfigurator(new HttpsConfigurator(pki.tls("server")));
        server.createContext("/", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().set("Content-Type", "text/html");
                exchange.sendResponseHeaders(200, PAGE.length);
                exchange.getResponseBody().write(PAGE);
            }
        });
        server.start();
    }

    /** Returns its origin under one of the host names of its certificate. */
    URI origin(String host) {
        return URI.create("https://" + host + ":" + server.getAddress().getPort());
    }

    /** Returns the page of that origin. */
    URI page(String host) {
        return origin(host).resolve("/page");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
