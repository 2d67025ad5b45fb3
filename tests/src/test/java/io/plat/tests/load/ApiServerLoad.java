package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;

/**
 * Cost of apiserver-lite's resource API: writes and reads of single objects, lists, watches, startup and memory of a store of 10,000
 * objects of 1 KiB; over TLS with client certificates, every request authorized by role objects. Server CPU is the CPU time of the process.
 * Run it as a program, with the length of a round in seconds (2).
 *
 * <p>The figures are printed with those of kube-apiserver and etcd on such a machine, and the targets.
 */
public final class ApiServerLoad {
    private static final int WRITES_WATCHED = 600;
    private static final int STARTS = 3;

    private final ConfigMapRequests requests = new ConfigMapRequests();
    private final List<Rounds.Kind> kinds = List.of(
            new Rounds.Kind("get", requests::get, "kube-apiserver 500 + 146, target 60"),
            new Rounds.Kind("create", () -> requests.create("made"), "kube-apiserver 903 + 267, target 120, with 32"),
            new Rounds.Kind("update", requests::update, ""),
            new Rounds.Kind("JSON patch", requests::patch, "kube-apiserver 1950 + 690, target 180"));

    private final TestPki pki;
    private final SSLContext tls;
    private final Path data;
    private final double seconds;
    private final Rounds rounds;

    private ApiServerLoad(TestPki pki, SSLContext tls, Path data, double seconds) {
        this.pki = pki;
        this.tls = tls;
        this.data = data;
        this.seconds = seconds;
        this.rounds = new Rounds(tls, seconds);
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        Path directory = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("admin", "system:masters").client("load")) {
            SSLContext tls = pki.tls("load");
            var load = new ApiServerLoad(pki, tls, directory.resolve("data"), seconds);
            load.limits(directory);
            load.fill();
            load.run();
        } finally {
            Directories.delete(directory);
        }
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private void limits(Path directory) throws Exception {
        print("the disk: %.0f appends of 1 KiB a second, each synchronised", DiskSyncs.perSecond(directory, seconds));
        if (!Command.installed("nginx")) {
            print("nginx is not installed");
            return;
        }
        try (Target nginx = NginxTarget.start(pki, directory, "x".repeat(1200))) {
            rounds.measure(nginx, 8, requests.get(), 2 * seconds);
            for (int connections : Rounds.CONNECTIONS) {
                print(
                        "%s",
                        Rounds.line(
                                "nginx, 1 KiB from memory",
                                connections,
                                rounds.measure(nginx, connections, requests.get(), seconds),
                                ""));
            }
        }
    }

    private void fill() throws Exception {
        try (ApiServerTarget server = ApiServerTarget.start(pki, data);
                HttpsClient admin = HttpsClient.of(pki, "admin")) {
            server.allow(admin, "load", "kept", "made");
            try (Connections open = new Connections(tls, server.port(), 40, requests.create("kept"))) {
                open.each(ConfigMapRequests.OBJECTS / 40);
            }
        }
    }

    private void run() throws Exception {
        for (int start = 0; start < STARTS; start++) {
            long began = System.nanoTime();
            try (ApiServerTarget server = ApiServerTarget.start(pki, data);
                    HttpsClient admin = HttpsClient.of(pki, "admin")) {
                int ready = admin.get(server.server().at("/readyz")).statusCode();
                print(
                        "start to ready (%d) with %d objects: %.2f s, %.2f s of CPU time (kube-apiserver 2 s, target 1.2 s)",
                        ready,
                        ConfigMapRequests.OBJECTS,
                        (System.nanoTime() - began) / 1e9,
                        ProcessorTime.seconds(server.pids()));
                if (start == STARTS - 1) {
                    LockSupport.parkNanos(5_000_000_000L);
                    print("resident when idle: %.0f MiB (kube-apiserver 316, target 160)", server.residentMebibytes());
                    load(server, admin);
                    print("resident after all this: %.0f MiB", server.residentMebibytes());
                }
            }
        }
    }

    private void load(ApiServerTarget server, HttpsClient admin) throws Exception {
        print("%s", Rounds.HEAD);
        // All first rounds precede any measured one, so that common code is compiled.
        for (Rounds.Kind kind : kinds) {
            rounds.warmUp(server, kind);
        }
        for (Rounds.Kind kind : kinds) {
            rounds.single(server, kind);
        }
        print(
                "creates per disk sync with 32 connections: %.1f (target 4)",
                rounds.createsPerSync(server, admin, requests.create("made")));
        new ListReads(server, admin).print();
        watches(server, admin, 100, "kube-apiserver 6.5, target 4");
        watches(server, admin, 1000, "kube-apiserver 27, target 12");
    }

    private void watches(ApiServerTarget server, HttpsClient admin, int count, String reference) throws Exception {
        String what = count + " watches, write to last";
        try (WatchStreams streams = new WatchStreams(
                tls,
                server.port(),
                count,
                ConfigMapRequests.PATH + "?watch=1&resourceVersion=" + new ListReads(server, admin).version())) {
            long[] nanos = new long[WRITES_WATCHED];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = streams.untilTheLast(() -> write(server, admin));
            }
            // The first half is a warm-up.
            long[] warm = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
            Arrays.sort(warm);
            print(
                    "%-32s p50 %.1f ms, p99 %.1f ms  %s",
                    what, warm[warm.length / 2] / 1e6, warm[warm.length - 1] / 1e6, reference);
        }
    }

    private void write(ApiServerTarget server, HttpsClient admin) throws IOException {
        var answer = admin.send(
                "PUT", server.server().at(ConfigMapRequests.PATH + "/c-0000000003"), requests.state("0000000003"));
        if (answer.statusCode() != 200) {
            throw new IOException("a write was answered " + answer.statusCode());
        }
    }
}
