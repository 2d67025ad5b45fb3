package io.plat.tests.load;

import io.plat.tests.process.Directories;
import io.plat.tests.process.EtcdServer;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * CPU time of a list of 10,000 objects, and of a write with 1,000 watchers, of an API server on etcd relative to one with a directory, as
 * the median of alternating rounds. The cost differs between processes by ten percent and more, so that several pairs of servers are
 * compared, and the median ratio is used. Run it as a program, with the number of pairs (5) and of rounds (7).
 */
public final class BackendLoad {
    private static final int WATCHES = 1_000;
    private static final int WARM_ROUNDS = 10;
    private static final int LISTS = 20;
    private static final int WRITES = 50;

    private final SSLContext tls;
    private final HttpsClient admin;
    private final int rounds;
    private final ConfigMapRequests requests = new ConfigMapRequests();

    /** Ratios to the first backend, by operation; one for each pair of servers. */
    private final Map<String, List<Double>> ratios = new LinkedHashMap<>();

    /** A repeated operation; returns its number of executions. */
    @FunctionalInterface
    private interface Work {
        int run() throws Exception;
    }

    private BackendLoad(TestPki pki, HttpsClient admin, int rounds) {
        this.tls = pki.tls("load");
        this.admin = admin;
        this.rounds = rounds;
    }

    /** Prints the table. */
    public static void main(String... arguments) throws Exception {
        int pairs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 5;
        int rounds = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 7;
        try (TestPki pki = TestPki.create().client("admin", "system:masters").client("load");
                HttpsClient admin = HttpsClient.of(pki, "admin")) {
            BackendLoad load = new BackendLoad(pki, admin, rounds);
            System.out.printf("%-32s %12s %12s %7s%n", "server CPU, ms each", "embedded", "etcd", "ratio");
            for (int pair = 0; pair < pairs; pair++) {
                load.pair(pki);
            }
            load.ratios.forEach((what, all) -> System.out.printf(
                    Locale.ROOT,
                    "%-32s median of %d pairs: %.2f  target 1.2%n",
                    what,
                    all.size(),
                    Rounds.median(all.stream().mapToDouble(Double::doubleValue).toArray())));
        }
    }

    private void pair(TestPki pki) throws Exception {
        Path directory = Files.createTempDirectory("plat-load");
        try (EtcdServer etcd = EtcdServer.start();
                ApiServerTarget embedded = ApiServerTarget.start(pki, directory.resolve("data"));
                ApiServerTarget remote = ApiServerTarget.startOnEtcd(pki, etcd)) {
            run(List.of(embedded, remote));
        } finally {
            Directories.delete(directory);
        }
    }

    private void run(List<ApiServerTarget> servers) throws Exception {
        for (ApiServerTarget server : servers) {
            server.allow(admin, "load", "kept", "made");
            try (Connections open = new Connections(tls, server.port(), 40, new ConfigMapRequests().create("kept"))) {
                open.each(ConfigMapRequests.OBJECTS / 40);
            }
        }
        List<Work> lists = new ArrayList<>();
        for (ApiServerTarget server : servers) {
            var reads = new ListReads(server, admin);
            lists.add(() -> reads.whole(LISTS));
        }
        compare("list of 10,000, whole", servers, lists);
        try (WatchStreams one = watches(servers.getFirst());
                WatchStreams other = watches(servers.getLast())) {
            compare(
                    "write that 1,000 watch",
                    servers,
                    List.of(() -> writes(servers.getFirst(), one), () -> writes(servers.getLast(), other)));
        }
    }

    private WatchStreams watches(ApiServerTarget server) throws IOException {
        String version = new ListReads(server, admin).version();
        return new WatchStreams(
                tls, server.port(), WATCHES, ConfigMapRequests.PATH + "?watch=1&resourceVersion=" + version);
    }

    private int writes(ApiServerTarget server, WatchStreams streams) throws Exception {
        for (int i = 0; i < WRITES; i++) {
            streams.untilTheLast(() -> write(server));
        }
        return WRITES;
    }

    private void write(ApiServerTarget server) throws IOException {
        String name = "0000000003";
        var answer = admin.send("PUT", server.server().at(ConfigMapRequests.PATH + "/c-" + name), requests.state(name));
        if (answer.statusCode() != 200) {
            throw new IOException("a write was answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    private void compare(String what, List<ApiServerTarget> servers, List<Work> works) throws Exception {
        double[][] millis = new double[servers.size()][rounds];
        for (int round = -WARM_ROUNDS; round < rounds; round++) {
            for (int i = 0; i < servers.size(); i++) {
                double before = ProcessorTime.seconds(servers.get(i).pids());
                int times = works.get(i).run();
                double used = (ProcessorTime.seconds(servers.get(i).pids()) - before) * 1e3 / times;
                if (round >= 0) {
                    millis[i][round] = used;
                }
            }
        }
        double embedded = Rounds.median(millis[0]);
        double etcd = Rounds.median(millis[1]);
        System.out.printf(Locale.ROOT, "%-32s %12.2f %12.2f %7.2f%n", what, embedded, etcd, etcd / embedded);
        ratios.computeIfAbsent(what, key -> new ArrayList<>()).add(etcd / embedded);
    }
}
