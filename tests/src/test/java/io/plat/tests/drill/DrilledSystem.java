package io.plat.tests.drill;

import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Three members of etcd, two API servers and two deciders, with a link between all communicating parts, and between clients and API
 * servers. All decisions are made by the deciders, and none is cached. {@link #WRITER} may do anything with the config maps of {@link
 * #NAMESPACE}, {@link #STRANGER} nothing at all.
 */
final class DrilledSystem implements AutoCloseable {
    static final String NAMESPACE = "drill";
    static final String WRITER = "writer";
    static final String STRANGER = "stranger";
    static final int SERVERS = 2;
    private static final String ADMIN = "admin";
    private static final String API_SERVER = "apiserver-lite";
    private static final int DECIDERS = 2;
    private static final int MEMBERS = 3;
    private static final int SLOW_MILLIS = 150;

    private static final String ROLES = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: writer, namespace: drill}
            rules: [{apiGroups: [""], resources: [configmaps], verbs: ["*"]}]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: writer, namespace: drill}
            subjects: [{kind: User, name: writer, apiGroup: rbac.authorization.k8s.io}]
            roleRef: {kind: Role, name: writer, apiGroup: rbac.authorization.k8s.io}
            """;

    private final TestPki pki;
    private final EtcdCluster etcd;
    private final List<RestartableProgram> deciders = new ArrayList<>();
    private final List<RestartableProgram> servers = new ArrayList<>();
    private final List<Link> clients = links(SERVERS);
    /** By server and member. */
    private final List<List<Link>> storage = List.of(links(MEMBERS), links(MEMBERS));
    /** By server and decider. */
    private final List<List<Link>> requests = List.of(links(DECIDERS), links(DECIDERS));

    private final List<ForwardedPort> ports = new ArrayList<>();
    private final List<Integer> clientPorts = new ArrayList<>();
    private final AtomicInteger turn = new AtomicInteger();

    private DrilledSystem(EtcdCluster etcd) {
        this.etcd = etcd;
        this.pki = TestPki.create()
                .client(ADMIN, "system:masters")
                .client(API_SERVER)
                .client(WRITER)
                .client(STRANGER);
    }

    private void begin() throws IOException {
        Path roles = Files.writeString(pki.directory().resolve("roles.yaml"), ROLES);
        List<CompletableFuture<RestartableProgram>> starting = new ArrayList<>();
        for (int k = 0; k < DECIDERS; k++) {
            List<String> flags = new ArrayList<>(pki.serverFlags());
            flags.addAll(List.of(
                    "--secure-port=0",
                    "--allowed-client-names=" + API_SERVER,
                    "--authorization-mode=RBAC",
                    "--authorization-rbac-path=" + roles));
            starting.add(CompletableFuture.supplyAsync(() -> new RestartableProgram(Program.DECIDER, flags)));
        }
        join(starting, deciders);
        List<CompletableFuture<RestartableProgram>> serving = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            List<String> flags = serverFlags(i);
            serving.add(CompletableFuture.supplyAsync(() -> new RestartableProgram(Program.APISERVER_LITE, flags)));
        }
        join(serving, servers);
        for (int i = 0; i < SERVERS; i++) {
            ForwardedPort.Route route = new ForwardedPort.Route(clients.get(i), servers.get(i)::port);
            clientPorts.add(forward(socket -> List.of(route)));
        }
    }

    /** Waits for all of them, even if one fails, so that each is closed. */
    private static void join(List<CompletableFuture<RestartableProgram>> starting, List<RestartableProgram> into) {
        starting.forEach(one -> one.handle((started, failed) -> failed == null).join());
        starting.stream()
                .filter(one -> !one.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .forEach(into::add);
        CompletableFuture.allOf(starting.toArray(CompletableFuture<?>[]::new)).join();
    }

    private static List<Link> links(int count) {
        return IntStream.range(0, count).mapToObj(i -> new Link()).toList();
    }

    private int forward(Function<Socket, List<ForwardedPort.Route>> routes) {
        ForwardedPort port = ForwardedPort.open(routes);
        ports.add(port);
        return port.port();
    }

    private List<String> serverFlags(int server) {
        List<String> members = new ArrayList<>();
        for (int j = 0; j < MEMBERS; j++) {
            int port = etcd.clientPort(j);
            ForwardedPort.Route route =
                    new ForwardedPort.Route(storage.get(server).get(j), () -> port);
            members.add("http://127.0.0.1:" + forward(socket -> List.of(route)));
        }
        int deciders = forward(socket -> toDeciders(server));
        ClientFiles.write(
                pki,
                "webhook-" + server + ".conf",
                URI.create("https://127.0.0.1:" + deciders + "/authorize"),
                API_SERVER);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of(
                "--secure-port=0",
                "--storage-backend=etcd3",
                "--etcd-servers=" + String.join(",", members),
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + pki.file("webhook-" + server + ".conf"),
                "--authorization-webhook-cache-authorized-ttl=0s",
                "--authorization-webhook-cache-unauthorized-ttl=0s",
                "--runtime-config=authorization.plat.io/v1beta1=true"));
        return flags;
    }

    /** Connections alternate, and fall back to the other decider if one refuses them. */
    private List<ForwardedPort.Route> toDeciders(int server) {
        int first = turn.getAndIncrement();
        return IntStream.range(0, DECIDERS)
                .map(k -> Math.floorMod(first + k, DECIDERS))
                .mapToObj(k -> new ForwardedPort.Route(
                        requests.get(server).get(k), () -> deciders.get(k).port()))
                .toList();
    }

    /** Starts everything, with the namespace; skips the test if etcd is missing. */
    static DrilledSystem start() {
        var system = new DrilledSystem(EtcdCluster.start(MEMBERS));
        boolean started = false;
        try {
            system.begin();
            system.createNamespace();
            started = true;
            return system;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            if (!started) {
                system.close();
            }
        }
    }

    private void createNamespace() throws IOException {
        try (HttpsClient admin = HttpsClient.of(pki, ADMIN)) {
            HttpResponse<String> created =
                    admin.post(at(0, "/api/v1/namespaces"), "{\"metadata\":{\"name\":\"" + NAMESPACE + "\"}}");
            if (created.statusCode() != 201) {
                throw new AssertionError(created.statusCode() + " " + created.body());
            }
        }
    }

    TestPki pki() {
        return pki;
    }

    /** Returns a URL of a server, through the clients' link. */
    URI at(int server, String path) {
        return URI.create("https://127.0.0.1:" + clientPorts.get(server) + path);
    }

    /** Returns all possible faults, by part. */
    List<Fault> faults() {
        List<Fault> all = new ArrayList<>();
        for (int j = 0; j < MEMBERS; j++) {
            int member = j;
            String part = "etcd member " + j;
            all.add(new Fault(part, "killed", () -> etcd.kill(member), () -> etcd.startAgain(member)));
            all.add(new Fault(
                    part, "paused", () -> Signals.pause(etcd.pid(member)), () -> Signals.resume(etcd.pid(member))));
            List<Link> around = new ArrayList<>(etcd.around(j));
            storage.forEach(server -> around.add(server.get(member)));
            all.add(cut(part, "disconnected", around));
            all.add(silent(part, "unreachable", around));
            all.add(silent(part, "unreachable for the other members", etcd.around(j)));
        }
        for (int i = 0; i < SERVERS; i++) {
            RestartableProgram server = servers.get(i);
            String part = "API server " + i;
            all.add(new Fault(part, "killed", server::kill, server::restart));
            all.add(new Fault(part, "paused", server::pause, server::resume));
            all.add(cut(part, "disconnected from etcd", storage.get(i)));
            all.add(silent(part, "unreachable for etcd", storage.get(i)));
            all.add(slow(part, "slow connection to etcd", storage.get(i)));
            all.add(silent(
                    part, "unreachable for one member", List.of(storage.get(i).getFirst())));
            all.add(cut(part, "disconnected from clients", List.of(clients.get(i))));
            all.add(silent(part, "unreachable for clients", List.of(clients.get(i))));
        }
        for (int k = 0; k < DECIDERS; k++) {
            RestartableProgram decider = deciders.get(k);
            int index = k;
            String part = "decider " + k;
            List<Link> to = requests.stream().map(server -> server.get(index)).toList();
            all.add(new Fault(part, "killed", decider::kill, decider::restart));
            all.add(new Fault(part, "paused", decider::pause, decider::resume));
            all.add(cut(part, "disconnected", to));
            all.add(silent(part, "unreachable", to));
            all.add(slow(part, "slow connection", to));
        }
        List<Link> allLinks = requests.stream().flatMap(List::stream).toList();
        all.add(cut("all deciders", "disconnected", allLinks));
        all.add(silent("all deciders", "unreachable", allLinks));
        return all;
    }

    private static Fault cut(String part, String name, List<Link> links) {
        return new Fault(part, name, () -> links.forEach(Link::cut), () -> links.forEach(Link::restore));
    }

    private static Fault silent(String part, String name, List<Link> links) {
        return new Fault(part, name, () -> links.forEach(Link::silence), () -> links.forEach(Link::restore));
    }

    private static Fault slow(String part, String name, List<Link> links) {
        return new Fault(
                part, name, () -> links.forEach(link -> link.slow(SLOW_MILLIS)), () -> links.forEach(Link::restore));
    }

    @Override
    public void close() {
        servers.forEach(RestartableProgram::close);
        deciders.forEach(RestartableProgram::close);
        ports.forEach(ForwardedPort::close);
        etcd.close();
        pki.close();
    }
}
