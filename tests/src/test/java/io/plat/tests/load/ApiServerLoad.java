package io.plat.tests.load;

import io.plat.tests.process.Command;
import io.plat.tests.process.Folders;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemSource;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * What requests of a resource API cost apiserver-lite: writes and reads of single objects, lists, watches, the start and the memory
 * of a store of 10,000 objects of 1 KiB; over TLS with client certificates, every request authorized by role objects. Server CPU
 * is the process's own time. Run it as a program, with the length of a round in seconds (2).
 *
 * <p>Beside the figures stand those of a stock API server with etcd on such a machine (server and etcd), and what was aimed at.
 */
public final class ApiServerLoad {
    private static final int OBJECTS = 10_000;
    private static final int[] CONNECTIONS = {1, 8, 32};
    private static final int LISTS = 20;
    private static final int WRITES_WATCHED = 600;
    private static final int STARTS = 3;

    /** The most rounds before those that count, of which a third are always made; and what part of the one before is no gain. */
    private static final int WARM_ROUNDS = 12;

    private static final double SETTLED = 0.95;
    private static final String PATH = "/api/v1/namespaces/kept/configmaps";
    private static final String FILLER = "x".repeat(900);

    private final List<Kind> kinds = List.of(
            new Kind("get", ApiServerLoad::get, "stock 500 + 146, aim 60"),
            new Kind("create", () -> create("made", this::next), "stock 903 + 267, aim 120, with 32"),
            new Kind("update", ApiServerLoad::update, ""),
            new Kind("JSON patch", ApiServerLoad::patch, "stock 1950 + 690, aim 180"));

    private final TestPki pki;
    private final SSLContext tls;
    private final Path data;
    private final double seconds;
    private final AtomicLong fresh = new AtomicLong();

    private ApiServerLoad(TestPki pki, SSLContext tls, Path data, double seconds) {
        this.pki = pki;
        this.tls = tls;
        this.data = data;
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        Path folder = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("admin", "system:masters").client("load")) {
            SSLContext tls = ClientTls.read(
                            new ClientTls.Config(
                                    PemSource.file(Path.of(pki.file("ca.crt"))),
                                    PemSource.file(Path.of(pki.file("load.crt"))),
                                    PemSource.file(Path.of(pki.file("load.key"))),
                                    null),
                            InstantSource.system())
                    .context();
            var load = new ApiServerLoad(pki, tls, folder.resolve("data"), seconds);
            load.limits(folder);
            load.fill();
            load.run();
        } finally {
            Folders.delete(folder);
        }
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private void limits(Path folder) throws Exception {
        print("the disk: %.0f appends of 1 KiB a second, each synchronised", DiskSyncs.perSecond(folder, seconds));
        if (!Command.installed("nginx")) {
            print("nginx is not installed");
            return;
        }
        try (Target nginx = NginxTarget.start(pki, folder, "x".repeat(1200))) {
            measure(nginx, 8, get(), 2 * seconds);
            for (int connections : CONNECTIONS) {
                print(
                        "%s",
                        line("nginx, 1 KiB from memory", connections, measure(nginx, connections, get(), seconds), ""));
            }
        }
    }

    private void fill() throws Exception {
        try (ApiServerTarget server = ApiServerTarget.start(pki, data);
                HttpsClient admin = HttpsClient.of(pki, "admin")) {
            server.allow(admin, "load", "kept", "made");
            try (Connections open = new Connections(tls, server.port(), 40, create("kept", this::next))) {
                open.each(OBJECTS / 40);
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
                        "start to ready (%d) with %d objects: %.2f s, %.2f s of CPU time (stock 2 s, aim 1.2 s)",
                        ready, OBJECTS, (System.nanoTime() - began) / 1e9, ProcessorTime.seconds(server.pids()));
                if (start == STARTS - 1) {
                    LockSupport.parkNanos(5_000_000_000L);
                    print("resident when idle: %.0f MiB (stock 316, aim 160)", server.residentMebibytes());
                    load(server, admin);
                    print("resident after all this: %.0f MiB", server.residentMebibytes());
                }
            }
        }
    }

    private void load(ApiServerTarget server, HttpsClient admin) throws Exception {
        print("%-32s %5s %10s %8s %8s %11s", "", "conns", "per second", "p50 us", "p99 us", "CPU us each");
        // All first rounds before any that counts: what the requests have in common is compiled by then.
        for (Kind kind : kinds) {
            warmUp(server, kind);
        }
        for (Kind kind : kinds) {
            single(server, kind);
        }
        commits(server, admin);
        lists(server, admin);
        watches(server, admin, 100, "stock 6.5, aim 4");
        watches(server, admin, 1000, "stock 27, aim 12");
    }

    /**
     * A kind of request.
     *
     * @param request makes it
     * @param beside what is printed beside its figures
     */
    private record Kind(String name, Supplier<Request> request, String beside) {}

    private long next() {
        return fresh.getAndIncrement();
    }

    private static long any() {
        return ThreadLocalRandom.current().nextLong(OBJECTS);
    }

    private static Request get() {
        return Request.of("GET " + PATH + "/c-" + Request.NUMBER, "", "", ApiServerLoad::any);
    }

    private static Request create(String namespace, LongSupplier numbers) {
        return Request.of(
                "POST /api/v1/namespaces/" + namespace + "/configmaps",
                "application/json",
                configMap(Request.NUMBER),
                numbers);
    }

    private static Request update() {
        return Request.of(
                "PUT " + PATH + "/c-" + Request.NUMBER,
                "application/json",
                configMap(Request.NUMBER),
                ApiServerLoad::any);
    }

    private static Request patch() {
        return Request.of(
                "PATCH " + PATH + "/c-" + Request.NUMBER,
                "application/json-patch+json",
                "[{\"op\":\"replace\",\"path\":\"/data/number\",\"value\":\"" + Request.SERIAL + "\"}]",
                ApiServerLoad::any);
    }

    /** A config map of about 1 KiB as it is stored. */
    private static String configMap(String number) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c-" + number
                + "\"},\"data\":{\"filler\":\"" + FILLER + "\",\"number\":\"" + Request.SERIAL + "\"}}";
    }

    /** A round's figures: how many a second, how long each, and what they cost the server. */
    private record Figures(Connections.Round round, double cpuMicros) {}

    private Figures measure(Target target, int connections, Request request, double length) throws Exception {
        try (Connections open = new Connections(tls, target.port(), connections, request)) {
            double before = ProcessorTime.seconds(target.pids());
            Connections.Round round = open.round(length);
            double used = ProcessorTime.seconds(target.pids()) - before;
            return new Figures(round, used * 1e6 / round.requests());
        }
    }

    private static String line(String what, int connections, Figures figures, String beside) {
        return String.format(
                Locale.ROOT,
                "%-32s %5d %10.0f %8.0f %8.0f %11.1f  %s",
                what,
                connections,
                figures.round().perSecond(),
                figures.round().micros(0.5),
                figures.round().micros(0.99),
                figures.cpuMicros(),
                beside);
    }

    /** Prints the first round, and goes on until the server's code is compiled. */
    private void warmUp(ApiServerTarget server, Kind kind) throws Exception {
        Figures first = measure(server, 8, kind.request().get(), seconds);
        print("%s", line(kind.name() + ", right after the start", 8, first, ""));
        double before = first.cpuMicros();
        for (int round = 1; round < WARM_ROUNDS; round++) {
            double now = measure(server, 8, kind.request().get(), seconds).cpuMicros();
            if (round >= WARM_ROUNDS / 3 && now > SETTLED * before) {
                break;
            }
            before = now;
        }
    }

    /** Prints the middle one of three rounds each: what else the machine does shows in a single one. */
    private void single(ApiServerTarget server, Kind kind) throws Exception {
        for (int connections : CONNECTIONS) {
            List<Figures> rounds = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                rounds.add(measure(server, connections, kind.request().get(), seconds));
            }
            rounds.sort(Comparator.comparingDouble(Figures::cpuMicros));
            print("%s", line(kind.name(), connections, rounds.get(1), kind.beside()));
        }
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private void commits(ApiServerTarget server, HttpsClient admin) throws Exception {
        double changes = server.metric(admin, "storage_changes_total");
        double commits = server.metric(admin, "storage_commit_seconds_count");
        measure(server, 32, create("made", this::next), seconds);
        print(
                "creates a disk sync with 32 connections: %.1f (aim 4)",
                (server.metric(admin, "storage_changes_total") - changes)
                        / (server.metric(admin, "storage_commit_seconds_count") - commits));
    }

    private void lists(ApiServerTarget server, HttpsClient admin) throws Exception {
        list(server, "list of 10,000, whole", () -> whole(server, admin), "stock 130, aim 40");
        list(server, "the same in chunks of 500", () -> chunks(server, admin), "");
    }

    /** Reads a list; answers how many requests that took. */
    @FunctionalInterface
    private interface Listing {
        int read() throws IOException;
    }

    private static void list(ApiServerTarget server, String what, Listing listing, String beside) throws IOException {
        try {
            for (int i = 0; i < LISTS; i++) {
                listing.read();
            }
            double before = ProcessorTime.seconds(server.pids());
            long began = System.nanoTime();
            int requests = 0;
            for (int i = 0; i < LISTS; i++) {
                requests += listing.read();
            }
            double took = (System.nanoTime() - began) / 1e6 / LISTS;
            double used = (ProcessorTime.seconds(server.pids()) - before) * 1e3 / LISTS;
            print("%-28s %.1f ms, %.1f ms of server CPU, %d requests  %s", what, took, used, requests / LISTS, beside);
        } catch (IOException refused) {
            print("%-28s not served: %s", what, firstLine(refused));
        }
    }

    private static HttpResponse<byte[]> page(ApiServerTarget server, HttpsClient admin, String query)
            throws IOException {
        HttpResponse<byte[]> answer = admin.getBytes(server.server().at(PATH + query));
        if (answer.statusCode() != 200) {
            throw new IOException(answer.statusCode() + " " + new String(answer.body(), StandardCharsets.UTF_8));
        }
        return answer;
    }

    private static int whole(ApiServerTarget server, HttpsClient admin) throws IOException {
        if (page(server, admin, "").body().length < OBJECTS * 1000) {
            throw new IOException("the list is too short");
        }
        return 1;
    }

    private static int chunks(ApiServerTarget server, HttpsClient admin) throws IOException {
        int requests = 0;
        String token = "";
        do {
            String next = token.isEmpty() ? "" : "&continue=" + token;
            String body = new String(page(server, admin, "?limit=500" + next).body(), StandardCharsets.ISO_8859_1);
            int at = body.indexOf("\"continue\":\"") + "\"continue\":\"".length();
            token = body.substring(at, body.indexOf('"', at));
            requests++;
        } while (!token.isEmpty());
        if (requests != OBJECTS / 500) {
            throw new IOException("the list had " + requests + " chunks");
        }
        return requests;
    }

    private void watches(ApiServerTarget server, HttpsClient admin, int count, String beside) throws Exception {
        String what = count + " watches, write to last";
        try (WatchStreams streams = new WatchStreams(
                tls, server.port(), count, PATH + "?watch=1&resourceVersion=" + version(server, admin))) {
            long[] nanos = new long[WRITES_WATCHED];
            for (int i = 0; i < nanos.length; i++) {
                nanos[i] = streams.untilTheLast(() -> write(server, admin));
            }
            // The first half finds the code that is to be measured compiled.
            long[] warm = Arrays.copyOfRange(nanos, nanos.length / 2, nanos.length);
            Arrays.sort(warm);
            print(
                    "%-28s p50 %.1f ms, p99 %.1f ms  %s",
                    what, warm[warm.length / 2] / 1e6, warm[warm.length - 1] / 1e6, beside);
        } catch (IOException refused) {
            print("%-28s not served: %s", what, firstLine(refused));
        }
    }

    private static String version(ApiServerTarget server, HttpsClient admin) throws IOException {
        String body = new String(page(server, admin, "?limit=1").body(), StandardCharsets.ISO_8859_1);
        int at = body.indexOf("\"resourceVersion\":\"") + "\"resourceVersion\":\"".length();
        return body.substring(at, body.indexOf('"', at));
    }

    private void write(ApiServerTarget server, HttpsClient admin) throws IOException {
        String object = configMap("0000000003").replace(Request.SERIAL, Long.toString(fresh.getAndIncrement()));
        var answer = admin.send("PUT", server.server().at(PATH + "/c-0000000003"), object);
        if (answer.statusCode() != 200) {
            throw new IOException("a write was answered " + answer.statusCode());
        }
    }
}
