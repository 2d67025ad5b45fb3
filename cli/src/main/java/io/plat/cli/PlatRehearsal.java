package io.plat.cli;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
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
 * What the build has plat do once: every command, offline and against a server of a few lines. The JVM writes down what it loaded
 * and linked meanwhile, and every later run begins with that (JEP 514).
 */
public final class PlatRehearsal {
    private static final String ALLOWED =
            "{\"kind\":\"SelfSubjectAccessReview\",\"apiVersion\":\"authorization.k8s.io/v1\",\"spec\":{},"
                    + "\"status\":{\"allowed\":true,\"reason\":\"rehearsed\"}}";
    private static final String ME =
            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"status\":"
                    + "{\"userInfo\":{\"username\":\"me\",\"groups\":[\"rehearsal\"]}}}";
    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: reader, namespace: team}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: readers, namespace: team}
            subjects: [{kind: User, name: me, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
            """;

    private static final String LINE =
            "{\"apiVersion\":\"abac.authorization.kubernetes.io/v1beta1\",\"kind\":\"Policy\",\"spec\":{\"user\":\"you\","
                    + "\"namespace\":\"team\",\"resource\":\"pods\",\"readonly\":true}}\n";
    private static final String TESTS = """
            kind: PolicyTest
            policies: [roles.yaml, lines.jsonl]
            cases: [{user: me, verb: get, resource: pods, namespace: team, expect: allow}]
            """;
    private static final String DECISION =
            "{\"spec\":{\"resourceAttributes\":{\"namespace\":\"team\",\"verb\":\"get\",\"resource\":\"pods\"},"
                    + "\"user\":\"me\"},\"allowed\":true}\n";

    private final Path folder;

    private PlatRehearsal(Path folder) {
        this.folder = folder;
    }

    /** Runs it. Takes no arguments. */
    public static void main(String[] arguments) throws IOException, PemException {
        Path folder = Files.createTempDirectory("plat-rehearsal");
        try {
            new PlatRehearsal(folder).run();
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private void run() throws IOException, PemException {
        plat("--version");
        plat("--help");
        plat("can-i", "--help");
        plat("pki", "init", "--dir", path(""));
        plat("pki", "issue", "server", "--dir", path(""), "--server", "--san", "localhost");
        plat("pki", "issue", "me", "--dir", path(""), "--client", "--org", "rehearsal");
        plat("pki", "show", path("server.crt"));
        Files.writeString(folder.resolve("roles.yaml"), ROLES);
        String roles = "--authorization-rbac-path=" + path("roles.yaml");
        plat("can-i", "get", "pods", "-n", "team", "--as", "me", roles);
        plat("can-i", "get", "pods", "-n", "team", "--as", "me", roles, "-o", "yaml");
        plat("can-i", "get", "pods", "-n", "team", "--as", "me", roles, "-o", "json");
        plat("can-i", "--list", "-n", "team", "--as", "me", roles);
        plat("why", "get", "pods", "-n", "team", "--as", "me", roles);
        plat("who-can", "get", "pods", "-n", "team", roles);
        plat("matrix", "pods", "-n", "team", roles);
        checkPolicies();
        askServer();
    }

    private void checkPolicies() throws IOException {
        Files.writeString(folder.resolve("lines.jsonl"), LINE);
        Files.writeString(folder.resolve("tests.yaml"), TESTS);
        Files.writeString(folder.resolve("decisions.jsonl"), DECISION);
        plat("diff", path("roles.yaml"), path("roles.yaml"));
        plat("lint", path("roles.yaml"), path("lines.jsonl"));
        plat("convert", path("lines.jsonl"));
        plat("test", "--coverage", path("tests.yaml"));
        plat("replay", path("decisions.jsonl"), "--authorization-rbac-path=" + path("roles.yaml"));
    }

    private void askServer() throws IOException, PemException {
        var config = ServerTls.Config.requiring(
                PemSource.file(folder.resolve("server.crt")),
                PemSource.file(folder.resolve("server.key")),
                PemSource.file(folder.resolve("ca.crt")));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (ServerTls tls = ServerTls.open(config, ReloadListener.none(), InstantSource.system())) {
            server.setHttpsConfigurator(new HttpsConfigurator(tls.context()));
            server.createContext("/", PlatRehearsal::answer);
            server.start();
            plat("--kubeconfig", clientFile(server.getAddress().getPort()), "can-i", "get", "pods", "-n", "team");
            plat("--kubeconfig", path("client.conf"), "whoami");
            question();
        } finally {
            server.stop(0);
        }
    }

    /** The question that most runs ask, in a process of its own, as what that loads has a cache of its own. */
    private void question() throws IOException {
        String launcher = System.getProperty("plat.launcher");
        if (launcher == null) {
            return;
        }
        ProcessBuilder run = new ProcessBuilder(
                        launcher, "--kubeconfig", path("client.conf"), "can-i", "get", "pods", "-n", "team")
                .inheritIO();
        run.environment().put("PLAT_REHEARSAL", "question");
        try {
            int status = run.start().waitFor();
            if (status != ExitStatus.YES) {
                throw new IOException("the rehearsal of a question ended with " + status);
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

    private String clientFile(int port) throws IOException {
        Files.writeString(folder.resolve("client.conf"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: here, cluster: {certificate-authority: ca.crt, server: "https://localhost:%d"}}]
                users: [{name: me, user: {client-certificate: me.crt, client-key: me.key}}]
                contexts: [{name: here, context: {cluster: here, user: me, namespace: team}}]
                current-context: here
                """.formatted(port));
        return path("client.conf");
    }

    private String path(String file) {
        return folder.resolve(file).toString();
    }

    private void plat(String... arguments) throws IOException {
        var surroundings =
                new Surroundings(Map.of(), folder, InputStream.nullInputStream(), false, InstantSource.system());
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = Plat.run(surroundings, OutputStream.nullOutputStream(), err, arguments);
        if (status != ExitStatus.YES) {
            throw new IOException("plat " + List.of(arguments) + " ended with " + status + ": "
                    + err.toString(StandardCharsets.UTF_8));
        }
    }
}
