package io.plat.tests.proxies;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plat.tests.process.Checkout;
import io.plat.tests.process.Directories;
import io.plat.tests.process.ForeignServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A running proxy with its configuration from {@code conf}. */
final class ReverseProxy implements AutoCloseable {
    private final Process process;
    private final Path directory;
    private final int port;

    private ReverseProxy(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Supported proxies with configuration file and command line. */
    enum Kind {
        NGINX("nginx", "nginx.conf", "-c @FILE@ -p @RUN@ -e @RUN@/error.log"),
        CADDY("caddy", "Caddyfile", "run --adapter caddyfile --config @FILE@"),
        TRAEFIK("traefik", "traefik.yaml routes.yaml", "--configFile=@FILE@"),
        ENVOY("envoy", "envoy.yaml", "-c @FILE@ --disable-hot-restart --concurrency 1 -l warn"),
        ENVOY_GRPC("envoy", "grpc.yaml", "-c @FILE@ --disable-hot-restart --concurrency 1 -l warn");

        private final String program;
        private final String files;
        private final String arguments;

        Kind(String program, String files, String arguments) {
            this.program = program;
            this.files = files;
            this.arguments = arguments;
        }

        /** The header with the user's certificate. */
        String identity() {
            return this == ENVOY || this == ENVOY_GRPC ? "xfcc" : "ssl-client-cert";
        }

        /** Returns the location of the program; skips the test if it is not installed. */
        private String find() throws IOException {
            Optional<String> executable = ProxyPrograms.find(program);
            assumeTrue(executable.isPresent(), program + " is not installed");
            return executable.orElseThrow();
        }
    }

    /** Starts a proxy in front of an application; skips the test if it is not installed. */
    static ReverseProxy start(Kind kind, TestPki pki, int decider, int application) throws IOException {
        String program = kind.find();
        Path directory = Files.createTempDirectory("plat-proxy");
        int port = ForeignServer.freePort();
        Path first = null;
        for (String file : kind.files.split(" ", -1)) {
            String text = Files.readString(Checkout.path("conf/" + kind.program + "/" + file));
            Path written = Files.writeString(
                    directory.resolve(file),
                    replaced(replaced(replaced(text, "LISTEN", port), "DECIDER", decider), "APPLICATION", application)
                            .replace("@PKI@", pki.directory().toString())
                            .replace("@RUN@", directory.toString()));
            first = first == null ? written : first;
        }
        List<String> words = new ArrayList<>(List.of(program));
        for (String argument : kind.arguments.split(" ", -1)) {
            words.add(argument.replace("@FILE@", String.valueOf(first)).replace("@RUN@", directory.toString()));
        }
        if (kind == Kind.NGINX) {
            words.addAll(List.of("-g", "daemon off;"));
        }
        Path message = directory.resolve("output");
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(message.toFile())
                .start();
        ForeignServer.awaitOn(port, kind.program, process, message);
        return new ReverseProxy(process, directory, port);
    }

    private static String replaced(String text, String name, int port) {
        return text.replace("@" + name + "@", "127.0.0.1:" + port)
                .replace("@" + name + "_ADDRESS@", "127.0.0.1")
                .replace("@" + name + "_PORT@", Integer.toString(port));
    }

    int port() {
        return port;
    }

    /** Returns the output of the proxy. */
    String log() {
        try {
            return Files.readString(directory.resolve("output"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Directories.delete(directory);
    }
}
