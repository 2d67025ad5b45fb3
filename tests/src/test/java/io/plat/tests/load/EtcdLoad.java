package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.CompletedProcess;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/**
 * Throughput of creations, reads and decisions of one and two API servers on an etcd that synchronizes its disk, and cost of a request for the
 * servers and etcd; compared with the figures of etcd's own tool. All on this machine. Run it as a program, with the length of a round in
 * seconds (2).
 */
public final class EtcdLoad {
    private static final int MOST = 2;
    private static final int[] CONNECTIONS = {8, 32};
    private static final int WARM_ROUNDS = 5;

    private final TestPki pki;
    private final SSLContext tls;
    private final double seconds;
    private final ConfigMapRequests requests = new ConfigMapRequests();

    private EtcdLoad(TestPki pki, double seconds) {
        this.pki = pki;
        this.tls = pki.tls("load");
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        try (TestPki pki = TestPki.create().client("admin", "system:masters").client("load")) {
            EtcdLoad load = new EtcdLoad(pki, seconds);
            bare();
            load.servers();
        }
    }

    /** Prints the figures of etcd's own tool: as many writes as 500 clients produce in a minute. */
    private static void bare() throws IOException {
        if (!Command.installed("etcdctl")) {
            System.out.println("etcdctl is not installed: without etcd's own rate");
            return;
        }
        try (EtcdServer etcd = EtcdServer.startDurable()) {
            double before = ProcessorTime.seconds(etcd.pid());
            CompletedProcess checked = Command.of("etcdctl", "--endpoints=" + etcd.url(), "check", "perf", "--load=l")
                    .within(Duration.ofMinutes(3))
                    .run();
            System.out.printf(
                    "etcdctl check perf --load=l, etcd's CPU %.1f s:%n", ProcessorTime.seconds(etcd.pid()) - before);
            (checked.out() + checked.err())
                    .lines()
                    .filter(line -> line.contains("PASS") || line.contains("FAIL"))
                    .map(line -> line.substring(Math.max(line.indexOf("PASS"), line.indexOf("FAIL"))))
                    .forEach(System.out::println);
        }
    }

    private void servers() throws Exception {
        try (EtcdServer etcd = EtcdServer.startDurable()) {
            List<RunningServer> servers = new ArrayList<>();
            try {
                for (int i = 0; i < MOST; i++) {
                    servers.add(ApiServerTarget.startOnEtcd(pki, etcd).server());
                }
                fill(servers.getFirst());
                System.out.printf(
                        "%n%-24s %5s %10s %8s %8s %12s %12s%n",
                        "", "conns", "per second", "p50 us", "p99 us", "servers' us", "etcd's us");
                for (int number = 1; number <= MOST; number++) {
                    compare(servers.subList(0, number), etcd);
                }
            } finally {
                servers.forEach(RunningServer::close);
            }
        }
    }

    private void fill(RunningServer server) throws Exception {
        ApiServerTarget target = new ApiServerTarget(server);
        try (HttpsClient admin = HttpsClient.of(pki, "admin")) {
            target.made(admin, "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
                    {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"load"},
                     "subjects":[{"kind":"User","name":"load","apiGroup":"rbac.authorization.k8s.io"}],
                     "roleRef":{"kind":"ClusterRole","name":"cluster-admin","apiGroup":"rbac.authorization.k8s.io"}}""");
            for (String namespace : List.of("kept", "made")) {
                target.made(admin, "/api/v1/namespaces", """
                        {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"%s"}}""".formatted(namespace));
            }
        }
        try (Connections open = new Connections(tls, server.port(), 40, requests.create("kept"))) {
            open.each(ConfigMapRequests.OBJECTS / 40);
        }
    }

    private static Request review() {
        return Request.of("POST /apis/authorization.k8s.io/v1/subjectaccessreviews", "application/json", """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"user-##########",\
                "groups":["staff"],"resourceAttributes":{"namespace":"kept","verb":"get","version":"v1",\
                "resource":"configmaps","name":"web-0"}}}""", () -> 7);
    }

    private void compare(List<RunningServer> servers, EtcdServer etcd) throws Exception {
        for (Rounds.Kind kind : List.of(
                new Rounds.Kind("create", () -> requests.create("made"), ""),
                new Rounds.Kind("get", requests::get, ""),
                new Rounds.Kind("review", EtcdLoad::review, ""))) {
            for (int round = 0; round < WARM_ROUNDS; round++) {
                measure(servers, etcd, kind, CONNECTIONS[0]);
            }
            for (int connections : CONNECTIONS) {
                System.out.printf(
                        Locale.ROOT,
                        "%-24s %5d %s%n",
                        kind.name() + ", servers: " + servers.size(),
                        connections,
                        measure(servers, etcd, kind, connections));
            }
        }
    }

    private String measure(List<RunningServer> servers, EtcdServer etcd, Rounds.Kind kind, int connections)
            throws Exception {
        long[] pids = servers.stream().mapToLong(RunningServer::pid).toArray();
        Request request = kind.request().get();
        int[] opened = {0};
        try (Connections open = new Connections(
                connections,
                () -> new Http1Exchange(
                        tls, servers.get(opened[0]++ % servers.size()).port(), request.copy()))) {
            double before = ProcessorTime.seconds(pids);
            double etcdBefore = ProcessorTime.seconds(etcd.pid());
            Connections.Round round = open.round(seconds);
            double micros = 1e6 / round.requests();
            return String.format(
                    Locale.ROOT,
                    "%10.0f %8.0f %8.0f %12.1f %12.1f",
                    round.perSecond(),
                    round.micros(0.5),
                    round.micros(0.99),
                    (ProcessorTime.seconds(pids) - before) * micros,
                    (ProcessorTime.seconds(etcd.pid()) - etcdBefore) * micros);
        }
    }
}
