package io.plat.tests.load;

import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLContext;

/**
 * Cost of validation, server-side apply and custom types in apiserver-lite: CPU time of writes of a config map, a deployment and an object
 * of a custom type with a schema and a rule, by each verb; and the effect of 500 such types on startup and on other writes. Compared
 * variants alternate in rounds; a result is the median after warm-up. Run it as a program, with the length of a round in seconds (1).
 */
public final class WriteLoad {
    private static final int BUSY = 8;
    private static final int WARM_UP = 6;
    private static final int COUNTED = 5;
    private static final int TYPES = 500;
    private static final int STARTS = 3;
    private static final String CONFIG_MAP = "config map";
    private static final String CREATE = ", create";
    private static final String MERGE = "application/merge-patch+json";

    private final TestPki pki;
    private final Rounds rounds;
    private final Path directory;
    private final HttpsClient admin;

    private WriteLoad(TestPki pki, Path directory, HttpsClient admin, double seconds) {
        SSLContext tls = pki.tls("admin");
        this.pki = pki;
        this.directory = directory;
        this.admin = admin;
        this.rounds = new Rounds(tls, seconds);
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 1;
        Path directory = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create().client("admin", "system:masters");
                HttpsClient admin = HttpsClient.of(pki, "admin")) {
            var load = new WriteLoad(pki, directory, admin, seconds);
            load.writes();
            load.starts();
        } finally {
            Directories.delete(directory);
        }
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    private static void prepare(ApiServerTarget server, HttpsClient admin) throws Exception {
        for (String namespace : WriteRequests.NAMESPACES) {
            server.made(admin, "/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + namespace + "\"}}");
        }
    }

    private static void define(ApiServerTarget server, HttpsClient admin, String definition) throws Exception {
        server.made(admin, "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
    }

    private void writes() throws Exception {
        try (ApiServerTarget server = ApiServerTarget.start(pki, directory.resolve("writes"))) {
            prepare(server, admin);
            define(
                    server,
                    admin,
                    WriteRequests.definition(
                            "load.example.com", "bakeries", "Bakery", "self.ovens < 100 && self.bread != 'cake'"));
            Map<String, WriteRequests> types = new LinkedHashMap<>();
            types.put(CONFIG_MAP, WriteRequests.configMaps());
            types.put("deployment", WriteRequests.deployments());
            types.put("custom object", WriteRequests.custom());
            Map<String, Request> kinds = new LinkedHashMap<>();
            Map<String, String> fresh = new HashMap<>();
            for (Map.Entry<String, WriteRequests> type : types.entrySet()) {
                try (Connections open = new Connections(
                        rounds.tls(), server.port(), BUSY, type.getValue().fill())) {
                    open.each(WriteRequests.KEPT / BUSY);
                }
                fresh.put(type.getKey() + CREATE, type.getValue().fresh());
                kinds.put(type.getKey() + CREATE, type.getValue().create());
                kinds.put(type.getKey() + ", merge patch", type.getValue().patch(MERGE));
                kinds.put(type.getKey() + ", apply a field", type.getValue().applyField());
                kinds.put(type.getKey() + ", apply it whole", type.getValue().applyWhole());
            }
            kinds.put(
                    "deployment, strategic merge",
                    WriteRequests.deployments().patch("application/strategic-merge-patch+json"));
            Map<String, Double> cost = inTurns(server, kinds, fresh);
            double create = cost.getOrDefault(CONFIG_MAP + CREATE, 0.0);
            print("%-32s %11s %22s", "8 connections", "CPU us each", "config map's create");
            cost.forEach((kind, micros) -> print("%-32s %11.1f %21.2fx", kind, micros, micros / create));
            for (String type : types.keySet()) {
                double merge = cost.getOrDefault(type + ", merge patch", 0.0);
                print(
                        "%s: applying a field costs %.2f merge patches, applying all of it %.2f (target 2.5)",
                        type,
                        cost.getOrDefault(type + ", apply a field", 0.0) / merge,
                        cost.getOrDefault(type + ", apply it whole", 0.0) / merge);
            }
            print("a deployment's create should cost 1.5 of a config map's at most");
        }
    }

    /** Returns the cost of each; created objects are deleted after each round. */
    private Map<String, Double> inTurns(ApiServerTarget server, Map<String, Request> kinds, Map<String, String> fresh)
            throws Exception {
        Map<String, List<Double>> times = new LinkedHashMap<>();
        for (int round = 0; round < WARM_UP + COUNTED; round++) {
            for (Map.Entry<String, Request> kind : kinds.entrySet()) {
                double micros = rounds.measure(server, BUSY, kind.getValue(), rounds.seconds())
                        .cpuMicros();
                if (fresh.containsKey(kind.getKey())) {
                    empty(server, fresh.get(kind.getKey()));
                }
                if (round >= WARM_UP) {
                    times.computeIfAbsent(kind.getKey(), key -> new ArrayList<>())
                            .add(micros);
                }
            }
        }
        Map<String, Double> middle = new LinkedHashMap<>();
        times.forEach((kind, all) -> {
            all.sort(Comparator.naturalOrder());
            middle.put(kind, all.get(all.size() / 2));
        });
        return middle;
    }

    private void empty(ApiServerTarget server, String collection) throws IOException {
        var answer = admin.send("DELETE", server.server().at(collection), null);
        if (answer.statusCode() != 200) {
            throw new IOException(collection + " was answered " + answer.statusCode() + ": " + answer.body());
        }
    }

    /** Alternating starts without and with custom types. */
    private void starts() throws Exception {
        Path none = directory.resolve("none");
        Path many = directory.resolve("many");
        for (Path data : List.of(none, many)) {
            try (ApiServerTarget server = ApiServerTarget.start(pki, data)) {
                prepare(server, admin);
                for (int i = 0; data.equals(many) && i < TYPES; i++) {
                    String group = "group-" + i % 10 + ".example.com";
                    define(server, admin, WriteRequests.definition(group, "kinds" + i, "Kind" + i, "self.ovens < 100"));
                }
            }
        }
        for (int start = 0; start < STARTS; start++) {
            for (Path data : List.of(none, many)) {
                started(data, start == STARTS - 1);
            }
        }
    }

    private void started(Path data, boolean last) throws Exception {
        long began = System.nanoTime();
        try (ApiServerTarget server = ApiServerTarget.start(pki, data)) {
            int ready = admin.get(server.server().at("/readyz")).statusCode();
            print(
                    "start to ready (%d), %s additional types: %.2f s, %.2f s of CPU time, resident %.0f MiB",
                    ready,
                    data.endsWith("many") ? TYPES : "no",
                    (System.nanoTime() - began) / 1e9,
                    ProcessorTime.seconds(server.pids()),
                    server.residentMebibytes());
            if (last) {
                Map<String, Double> cost = inTurns(
                        server,
                        Map.of(CONFIG_MAP + CREATE, WriteRequests.configMaps().create()),
                        Map.of(CONFIG_MAP + CREATE, WriteRequests.configMaps().fresh()));
                cost.forEach((kind, micros) -> print("  %-30s %11.1f CPU us each", kind, micros));
            }
        }
    }
}
