package io.plat.tests.load;

import io.plat.tests.process.HttpsClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/**
 * Rounds of single requests, and their table.
 *
 * @param tls TLS context of the connections
 * @param seconds length of a round
 */
record Rounds(SSLContext tls, double seconds) {
    /** Numbers of connections. */
    static final int[] CONNECTIONS = {1, 8, 32};

    /**
     * Maximum number of warm-up rounds, of which a third is always executed, and the fraction of the previous cost that ends the warm-up.
     */
    private static final int WARM_ROUNDS = 12;

    private static final double SETTLED = 0.95;

    /** Header of the table. */
    static final String HEAD = String.format(
            Locale.ROOT, "%-32s %5s %10s %8s %8s %11s", "", "conns", "per second", "p50 us", "p99 us", "CPU us each");

    /**
     * A kind of request.
     *
     * @param request creates it
     * @param reference reference figures, for an additional column
     */
    record Kind(String name, Supplier<Request> request, String reference) {}

    /** Results of a round: rate, latency, and server cost. */
    record Figures(Connections.Round round, double cpuMicros) {}

    /** A round. */
    Figures measure(Target target, int connections, Request request, double length) throws Exception {
        try (Connections open = new Connections(tls, target.port(), connections, request)) {
            double before = ProcessorTime.seconds(target.pids());
            Connections.Round round = open.round(length);
            double used = ProcessorTime.seconds(target.pids()) - before;
            return new Figures(round, used * 1e6 / round.requests());
        }
    }

    /** Returns the median of results. */
    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Prints a line of the table. */
    static String line(String what, int connections, Figures figures, String reference) {
        return String.format(
                Locale.ROOT,
                "%-32s %5d %10.0f %8.0f %8.0f %11.1f  %s",
                what,
                connections,
                figures.round().perSecond(),
                figures.round().micros(0.5),
                figures.round().micros(0.99),
                figures.cpuMicros(),
                reference);
    }

    /** Prints the first round, and continues until the server's code is compiled. */
    void warmUp(ApiServerTarget server, Kind kind) throws Exception {
        Figures first = measure(server, 8, kind.request().get(), seconds);
        System.out.println(line(kind.name() + ", right after the start", 8, first, ""));
        double before = first.cpuMicros();
        for (int round = 1; round < WARM_ROUNDS; round++) {
            double now = measure(server, 8, kind.request().get(), seconds).cpuMicros();
            if (round >= WARM_ROUNDS / 3 && now > SETTLED * before) {
                break;
            }
            before = now;
        }
    }

    /** Prints the median of three rounds each, as other load affects single ones. */
    void single(ApiServerTarget server, Kind kind) throws Exception {
        for (int connections : CONNECTIONS) {
            List<Figures> rounds = new ArrayList<>();
            for (int round = 0; round < 3; round++) {
                rounds.add(measure(server, connections, kind.request().get(), seconds));
            }
            rounds.sort(Comparator.comparingDouble(Figures::cpuMicros));
            System.out.println(line(kind.name(), connections, rounds.get(1), kind.reference()));
        }
    }

    /** Returns the number of creations per synchronization of the disk. */
    double createsPerSync(ApiServerTarget server, HttpsClient admin, Request create) throws Exception {
        double changes = server.metric(admin, "storage_changes_total");
        double commits = server.metric(admin, "storage_commit_seconds_count");
        measure(server, 32, create, seconds);
        return (server.metric(admin, "storage_changes_total") - changes)
                / (server.metric(admin, "storage_commit_seconds_count") - commits);
    }
}
