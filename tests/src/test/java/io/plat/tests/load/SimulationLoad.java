package io.plat.tests.load;

import static org.awaitility.Awaitility.await;

import io.plat.tests.process.AtomicFile;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Metrics;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import io.plat.tests.simulation.Outcome;
import io.plat.tests.simulation.Popularity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Comparison of the simulator with real processes: one, two and four deciders, and one, two and four caching ones in front of another
 * decider whose policy changes, all on this machine. The cost of a step is measured with one of them, with and without policy changes. The
 * cost of a context switch is not observable with one; it is derived from the rate of three. For one, two and four the simulator
 * must predict the rate and the hit ratio. Series alternate, and the median by rate is used. Run it as a program, with the length of a
 * round in seconds (2).
 */
public final class SimulationLoad {
    private static final int MAX_DECIDERS = 4;
    /** Number of deciders from which the cost of a context switch is derived. */
    private static final int CALIBRATION = 3;

    private static final int ROUNDS = 11;
    private static final int CONNECTIONS = 8;
    private static final int DISTINCT_REQUESTS = 3_000;
    private static final double SKEW = 1;
    private static final double CHANGES = 3;
    private static final double WARM_UP_CHANGES = 30;
    private static final int MEASURED_CHANGES = 20;

    /** If a round costs more than this fraction of the previous one, warm-up is complete. */
    private static final double STEADY = 0.95;

    private static final int MAX_WARM_UP_ROUNDS = 10;
    private static final String CLIENT = "load-client";
    private static final String HIT = "authorization_webhook_cache_requests_total{status=\"hit\"}";
    private static final String MISS = "authorization_webhook_cache_requests_total{status=\"miss\"}";
    private static final String POLICY = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata:
              name: reader-%d
            rules:
            - apiGroups: [""]
              resources: ["pods"]
              verbs: ["get"]
            ---
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRoleBinding
            metadata:
              name: reader
            subjects:
            - apiGroup: rbac.authorization.k8s.io
              kind: Group
              name: staff
            roleRef:
              apiGroup: rbac.authorization.k8s.io
              kind: ClusterRole
              name: reader-%d
            """;

    private final TestPki pki;
    private final SSLContext tls;
    private final Path policy;
    private final double seconds;
    private volatile int changed;

    /** Measurements of a round of real processes; costs in microseconds per request. */
    private record Measured(double perSecond, double hits, double client, double target, double source) {
        Steps steps() {
            return new Steps(client, target, source);
        }

        double cores() {
            return perSecond * (client + target + source) / 1e6;
        }
    }

    /** A round of real processes. */
    @FunctionalInterface
    private interface Round {
        Measured run() throws Exception;
    }

    /** Rounds of one measurement, which alternate with those of others. */
    private static final class Series {
        private final Round round;
        private final List<Measured> measured = new ArrayList<>();

        Series(Round round) {
            this.round = round;
        }

        void next() throws Exception {
            measured.add(round.run());
        }

        /** Returns the median by rate. */
        Measured median() {
            return measured.stream()
                    .sorted(Comparator.comparingDouble(Measured::perSecond))
                    .toList()
                    .get(measured.size() / 2);
        }
    }

    /** A number of deciders, and their rounds. */
    private record Candidate(int number, Series rounds) {}

    private SimulationLoad(TestPki pki, double seconds) {
        this.pki = pki;
        this.tls = pki.tls(CLIENT);
        this.policy = pki.directory().resolve("roles.yaml");
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        try (TestPki pki = TestPki.create().client(CLIENT)) {
            SimulationLoad load = new SimulationLoad(pki, seconds);
            load.change();
            load.deciders();
            load.caches();
        }
    }

    private void change() throws IOException {
        int next = changed + 1;
        AtomicFile.put(policy, POLICY.formatted(next, next));
        changed = next;
    }

    /** Deciders that decide every request. */
    private void deciders() throws Exception {
        List<RunningServer> running = new ArrayList<>();
        try {
            for (int i = 0; i < MAX_DECIDERS; i++) {
                running.add(decider("--authorization-mode=RBAC", "--authorization-rbac-path=" + policy));
            }
            LongSupplier numbers = () -> 7;
            warm(running, numbers);
            head("deciders without a cache");
            List<Candidate> all = IntStream.rangeClosed(1, MAX_DECIDERS)
                    .mapToObj(number -> new Candidate(
                            number,
                            new Series(() -> measure(running.subList(0, number), List.of(), numbers, 0, CONNECTIONS))))
                    .toList();
            alternate(all.stream().map(Candidate::rounds).toList());
            Measured one = all.getFirst().rounds().median();
            double calibration = all.get(CALIBRATION - 1).rounds().median().perSecond();
            SimulatedMachine machine = SimulatedMachine.of(CONNECTIONS, one.steps(), CALIBRATION, calibration);
            print(machine);
            Steps steps = machine.decision(one.steps());
            for (Candidate each : all) {
                print(each.number(), each.rounds().median(), machine.deciding(each.number(), steps));
            }
        } finally {
            running.forEach(RunningServer::close);
        }
    }

    /** Deciders that cache the decisions of another one, until its policy changes. */
    private void caches() throws Exception {
        List<RunningServer> running = new ArrayList<>();
        try {
            RunningServer source = decider("--authorization-mode=RBAC", "--authorization-rbac-path=" + policy);
            running.add(source);
            Path kubeconfig = ClientFiles.write(pki, "source.conf", source.at("/authorize"), CLIENT);
            List<RunningServer> fronts = new ArrayList<>();
            for (int i = 0; i < MAX_DECIDERS; i++) {
                fronts.add(
                        decider("--authorization-mode=Webhook", "--authorization-webhook-config-file=" + kubeconfig));
            }
            running.addAll(fronts);
            for (RunningServer front : fronts) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> metric(front, "authorization_webhook_revision_stream_connected") == 1);
            }
            Popularity popularity = new Popularity(DISTINCT_REQUESTS, SKEW);
            LongSupplier numbers = () -> popularity.next(ThreadLocalRandom.current());
            // With continuous changes: cache misses must be compiled as well as hits.
            try (Changing changing = new Changing(WARM_UP_CHANGES)) {
                warm(fronts, numbers);
                changing.check();
            }
            warm(fronts, numbers);
            List<RunningServer> sources = List.of(source);
            List<RunningServer> first = fronts.subList(0, 1);
            Series unchanged = new Series(() -> measure(first, sources, () -> 7, 0, CONNECTIONS));
            List<Candidate> all = IntStream.rangeClosed(1, MAX_DECIDERS)
                    .mapToObj(number -> new Candidate(
                            number,
                            new Series(
                                    () -> measure(fronts.subList(0, number), sources, numbers, CHANGES, CONNECTIONS))))
                    .toList();
            alternate(Stream.concat(Stream.of(unchanged), all.stream().map(Candidate::rounds))
                    .toList());
            var cache = new SimulatedMachine.Cache(DISTINCT_REQUESTS, SKEW, CHANGES, costOfAChange(source));
            Steps unchangedSteps = unchanged.median().steps();
            Steps one = all.getFirst().rounds().median().steps();
            double calibration = all.get(CALIBRATION - 1).rounds().median().perSecond();
            var machine = SimulatedMachine.ofCaching(CONNECTIONS, cache, unchangedSteps, one, CALIBRATION, calibration);
            Steps hit = machine.hit(unchangedSteps);
            Steps miss = machine.miss(hit, one, cache);
            head("caching deciders in front of a decider whose policy changes");
            print(machine);
            System.out.printf(
                    Locale.ROOT,
                    "a cache hit costs %.1f us, a miss %.1f us and %.1f us at the source%n",
                    hit.target(),
                    miss.target(),
                    miss.source());
            for (Candidate each : all) {
                Outcome simulated = machine.caching(each.number(), cache, hit, miss);
                print(each.number(), each.rounds().median(), simulated);
            }
        } finally {
            running.forEach(RunningServer::close);
        }
    }

    private static void alternate(List<Series> all) throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            for (Series each : all) {
                each.next();
            }
        }
    }

    private RunningServer decider(String... flags) {
        List<String> all = new ArrayList<>(pki.serverFlags());
        all.add("--secure-port=0");
        all.addAll(List.of(flags));
        return RunningServer.start(Program.DECIDER, all);
    }

    /** Warms up the processes until the cost of a request no longer falls. */
    private void warm(List<RunningServer> targets, LongSupplier numbers) throws Exception {
        for (RunningServer each : targets) {
            try (Connections open = connections(List.of(each), numbers, CONNECTIONS)) {
                double before = Double.MAX_VALUE;
                double now = cost(each, open);
                for (int round = 1; round < MAX_WARM_UP_ROUNDS && now < STEADY * before; round++) {
                    before = now;
                    now = cost(each, open);
                }
            }
        }
    }

    /** Returns the CPU time per request at the target, in microseconds. */
    private double cost(RunningServer target, Connections open) throws Exception {
        double begin = ProcessorTime.seconds(target.pid());
        Connections.Round round = open.round(seconds);
        return (ProcessorTime.seconds(target.pid()) - begin) * 1e6 / round.requests();
    }

    private Connections connections(List<RunningServer> targets, LongSupplier numbers, int number) throws IOException {
        int[] opened = {0};
        return new Connections(
                number,
                () -> new Http1Exchange(
                        tls, targets.get(opened[0]++ % targets.size()).port(), review(numbers)));
    }

    private static Request review(LongSupplier numbers) {
        return Request.of("POST /authorize", "application/json", """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"user-%s",\
                "groups":["staff"],"resourceAttributes":{"namespace":"team","verb":"get","version":"v1",\
                "resource":"pods","name":"web-0"}}}""".formatted(Request.NUMBER), numbers);
    }

    private Measured measure(
            List<RunningServer> targets,
            List<RunningServer> source,
            LongSupplier numbers,
            double changes,
            int connections)
            throws Exception {
        long[] own = {ProcessHandle.current().pid()};
        long[] targetPids = targets.stream().mapToLong(RunningServer::pid).toArray();
        long[] sourcePids = source.stream().mapToLong(RunningServer::pid).toArray();
        try (Connections open = connections(targets, numbers, connections);
                Changing changing = new Changing(changes)) {
            // The cache content at the beginning is that in the middle.
            open.round(seconds / 2);
            double hits = metric(targets, HIT);
            double misses = metric(targets, MISS);
            // Only around the round: reading metrics requires a connection, which costs as much as many requests.
            double client = ProcessorTime.seconds(own);
            double front = ProcessorTime.seconds(targetPids);
            double behind = ProcessorTime.seconds(sourcePids);
            Connections.Round round = open.round(seconds);
            client = ProcessorTime.seconds(own) - client;
            front = ProcessorTime.seconds(targetPids) - front;
            behind = ProcessorTime.seconds(sourcePids) - behind;
            double requests = round.requests() / 1e6;
            double hit = metric(targets, HIT) - hits;
            double miss = metric(targets, MISS) - misses;
            changing.check();
            return new Measured(
                    round.perSecond(),
                    hit + miss == 0 ? 0 : hit / (hit + miss),
                    client / requests,
                    front / requests,
                    behind / requests);
        }
    }

    private double costOfAChange(RunningServer source) throws Exception {
        double before = ProcessorTime.seconds(source.pid());
        int first = changed;
        try (Changing changing = new Changing(10)) {
            await().atMost(Duration.ofMinutes(1)).until(() -> changed >= first + MEASURED_CHANGES);
            changing.check();
        }
        return (ProcessorTime.seconds(source.pid()) - before) * 1e6 / (changed - first);
    }

    /** Changes the policy at random times until it is closed. */
    private final class Changing implements AutoCloseable {
        private final ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
        private final Random random = new Random(11);
        private final double perSecond;
        private volatile @Nullable IOException failure;

        Changing(double perSecond) {
            this.perSecond = perSecond;
            if (perSecond > 0) {
                plan();
            }
        }

        private void plan() {
            long nanos = (long) (-Math.log(1 - random.nextDouble()) * 1e9 / perSecond);
            var unused = thread.schedule(this::changeAndPlan, nanos, TimeUnit.NANOSECONDS);
        }

        private void changeAndPlan() {
            try {
                change();
                plan();
            } catch (IOException e) {
                failure = e;
            }
        }

        void check() throws IOException {
            @Nullable IOException failed = failure;
            if (failed != null) {
                throw failed;
            }
        }

        @Override
        public void close() {
            thread.shutdownNow();
        }
    }

    private double metric(List<RunningServer> of, String line) throws IOException {
        double sum = 0;
        for (RunningServer each : of) {
            sum += metric(each, line);
        }
        return sum;
    }

    private double metric(RunningServer of, String line) {
        try (HttpsClient client = HttpsClient.of(pki, CLIENT)) {
            return Metrics.of(client, of.at("/metrics")).count(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void head(String title) {
        System.out.printf(
                "%n%-60s %12s %12s %7s %8s %8s %8s %8s %8s %6s%n",
                title, "real, 1/s", "simulated", "ratio", "hits", "simul.", "client", "target", "source", "cores");
    }

    private static void print(SimulatedMachine machine) {
        System.out.printf(Locale.ROOT, "a context switch costs %.1f us%n", machine.switching());
    }

    private static void print(int number, Measured real, Outcome simulated) {
        System.out.printf(
                Locale.ROOT,
                "%-60d %12.0f %12.0f %7.2f %7.1f%% %7.1f%% %8.1f %8.1f %8.1f %6.2f%n",
                number,
                real.perSecond(),
                simulated.perSecond(),
                simulated.perSecond() / real.perSecond(),
                100 * real.hits(),
                100 * simulated.hits(),
                real.client(),
                real.target(),
                real.source(),
                real.cores());
    }
}
