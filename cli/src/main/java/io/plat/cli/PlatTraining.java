package io.plat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.plat.cli.process.Environment;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.process.ResourceText;
import io.plat.tls.ReloadListener;
import io.plat.tls.ServerTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Training run of plat during the build: every command, offline and against a small server, as in the files of {@code training}. The JVM
 * records loaded and linked classes, and every later run begins with them (JEP 514).
 */
public final class PlatTraining {
    private static final String ALLOWED =
            "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{},"
                    + "\"status\":{\"allowed\":true,\"reason\":\"training\"}}";
    private static final String ME =
            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"status\":"
                    + "{\"userInfo\":{\"username\":\"me\",\"groups\":[\"training\"]}}}";

    private final Path directory;

    private PlatTraining(Path directory) {
        this.directory = directory;
    }

    /** Runs it. Takes no arguments. */
    public static void main(String[] arguments) throws IOException, PemException {
        Path directory = Files.createTempDirectory("plat-training");
        try {
            new PlatTraining(directory).run();
        } finally {
            try (Stream<Path> all = Files.walk(directory)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private void run() throws IOException, PemException {
        for (String name : List.of("roles.yaml", "lines.jsonl", "tests.yaml", "decisions.jsonl")) {
            Files.writeString(directory.resolve(name), ResourceText.read("training/" + name));
        }
        for (String line : ResourceText.read("training/commands.txt").lines().toList()) {
            plat(line);
        }
        runAgainstServer();
    }

    private void runAgainstServer() throws IOException, PemException {
        var config = ServerTls.Config.requiring(
                PemSource.file(directory.resolve("server.crt")),
                PemSource.file(directory.resolve("server.key")),
                PemSource.file(directory.resolve("ca.crt")));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (ServerTls tls = new ServerTls(config, ReloadListener.none(), InstantSource.system())) {
            server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
            server.createContext("/", PlatTraining::answer);
            server.start();
            String port = String.valueOf(server.getAddress().getPort());
            Files.writeString(
                    directory.resolve("client.conf"),
                    ResourceText.read("training/client.conf").replace("PORT", port));
            plat("--kubeconfig DIRECTORY/client.conf can-i get pods -n team");
            plat("--kubeconfig DIRECTORY/client.conf whoami");
            canI();
        } finally {
            server.stop(0);
        }
    }

    /** Runs the most common command, in a separate process, as its classes have their own cache. */
    private void canI() throws IOException {
        String launcher = System.getProperty("plat.launcher");
        if (launcher == null) {
            return;
        }
        String config = directory.resolve("client.conf").toString();
        ProcessBuilder run =
                new ProcessBuilder(launcher, "--kubeconfig", config, "can-i", "get", "pods", "-n", "team").inheritIO();
        run.environment().put("PLAT_TRAINING", "can-i");
        try {
            int status = run.start().waitFor();
            if (status != ExitStatus.YES) {
                throw new IOException("the training run of can-i ended with " + status);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            String path = exchange.getRequestURI().getPath();
            byte[] body = (path.endsWith("selfsubjectreviews") ? ME : ALLOWED).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(201, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** Runs plat with the arguments in a line, in which {@code DIRECTORY} means the directory of the training run. */
    private void plat(String line) throws IOException {
        String[] arguments = Stream.of(line.split(" "))
                .map(word -> word.replace("DIRECTORY", directory.toString()))
                .toArray(String[]::new);
        var environment =
                new Environment(Map.of(), directory, InputStream.nullInputStream(), false, InstantSource.system());
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Plat.run(environment, OutputStream.nullOutputStream(), err, arguments);
        if (status != ExitStatus.YES) {
            throw new IOException(
                    "plat " + line + " ended with " + status + ": " + err.toString(StandardCharsets.UTF_8));
        }
    }
}
