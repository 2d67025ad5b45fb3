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
 * cost of a context switch is not observable with one; it is derived from the rate of three of a kind. For one, two and four the simulator
 * must predict the rate and the hit ratio. Rounds alternate, and the median by rate is used. Run it as a program, with the length of a
 * round in seconds (2).
 */
public final class SimulationLoad {
    private static final int MOST = 4;
    /** Number of deciders from which the cost of a context switch is derived. */
    private static final int SHOWING = 3;

    private static final int TURNS = 11;
    private static final int CONNECTIONS = 8;
    private static final int QUESTIONS = 3_000;
    private static final double SKEW = 1;
    private static final double CHANGES = 3;
    private static final double WARMING_CHANGES = 30;
    private static final int ENOUGH_CHANGES = 20;

    /** If a round costs more than this fraction of the previous one, warm-up is complete. */
    private static final double STEADY = 0.95;

    private static final int MOST_WARMING = 10;
    private static final String WHO_ASKS = "server-of-questions";
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
    private record Measured(double perSecond, double hits, double client, double asked, double source) {
        Steps steps() {
            return new Steps(client, asked, source);
        }

        double cores() {
            return perSecond * (client + asked + source) / 1e6;
        }
    }

    /** A round of real processes. */
    @FunctionalInterface
    private interface Turn {
        Measured run() throws Exception;
    }

    /** The rounds of one measurement, which alternate with those of others. */
    private static final class Rounds {
        private final Turn turn;
        private final List<Measured> measured = new ArrayList<>();

        Rounds(Turn turn) {
            this.turn = turn;
        }

        void next() throws Exception {
            measured.add(turn.run());
        }

        /** Returns the median by rate. */
        Measured middle() {
            return measured.stream()
                    .sorted(Comparator.comparingDouble(Measured::perSecond))
                    .toList()
                    .get(measured.size() / 2);
        }
    }

    /** A number of deciders, and their rounds. */
    private record Several(int number, Rounds rounds) {}

    private SimulationLoad(TestPki pki, double seconds) {
        this.pki = pki;
        this.tls = pki.tls(WHO_ASKS);
        this.policy = pki.folder().resolve("roles.yaml");
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        try (TestPki pki = TestPki.create().client(WHO_ASKS)) {
            SimulationLoad load = new SimulationLoad(pki, seconds);
            load.change();
            load.deciders();
            load.memories();
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
            for (int i = 0; i < MOST; i++) {
                running.add(decider("--authorization-mode=RBAC", "--authorization-rbac-path=" + policy));
            }
            LongSupplier numbers = () -> 7;
            warm(running, numbers);
            head("deciders that are asked");
            List<Several> all = IntStream.rangeClosed(1, MOST)
                    .mapToObj(number -> new Several(
                            number,
                            new Rounds(() -> measure(running.subList(0, number), List.of(), numbers, 0, CONNECTIONS))))
                    .toList();
            inTurn(all.stream().map(Several::rounds).toList());
            Measured one = all.getFirst().rounds().middle();
            double showing = all.get(SHOWING - 1).rounds().middle().perSecond();
            SimulatedMachine machine = SimulatedMachine.of(CONNECTIONS, one.steps(), SHOWING, showing);
            print(machine);
            Steps steps = machine.asked(one.steps());
            for (Several each : all) {
                print(each.number(), each.rounds().middle(), machine.asked(each.number(), steps));
            }
        } finally {
            running.forEach(RunningServer::close);
        }
    }

    /** Deciders that cache the decisions of another one, until its policy changes. */
    private void memories() throws Exception {
        List<RunningServer> running = new ArrayList<>();
        try {
            RunningServer source = decider("--authorization-mode=RBAC", "--authorization-rbac-path=" + policy);
            running.add(source);
            Path asks = ClientFiles.write(pki, "source.conf", source.at("/authorize"), WHO_ASKS);
            List<RunningServer> fronts = new ArrayList<>();
            for (int i = 0; i < MOST; i++) {
                fronts.add(decider("--authorization-mode=Webhook", "--authorization-webhook-config-file=" + asks));
            }
            running.addAll(fronts);
            for (RunningServer front : fronts) {
                await().atMost(Duration.ofSeconds(20))
                        .until(() -> metric(front, "authorization_webhook_revision_stream_connected") == 1);
            }
            Popularity popularity = new Popularity(QUESTIONS, SKEW);
            LongSupplier numbers = () -> popularity.next(ThreadLocalRandom.current());
            // With continuous changes: cache misses must be compiled as well as hits.
            try (Changing changing = new Changing(WARMING_CHANGES)) {
                warm(fronts, numbers);
                changing.check();
            }
            warm(fronts, numbers);
            List<RunningServer> behind = List.of(source);
            List<RunningServer> first = fronts.subList(0, 1);
            Rounds unchanged = new Rounds(() -> measure(first, behind, () -> 7, 0, CONNECTIONS));
            List<Several> all = IntStream.rangeClosed(1, MOST)
                    .mapToObj(number -> new Several(
                            number,
                            new Rounds(
                                    () -> measure(fronts.subList(0, number), behind, numbers, CHANGES, CONNECTIONS))))
                    .toList();
            inTurn(Stream.concat(Stream.of(unchanged), all.stream().map(Several::rounds))
                    .toList());
            var memory = new SimulatedMachine.Memory(QUESTIONS, SKEW, CHANGES, costOfAChange(source));
            Steps remembered = unchanged.middle().steps();
            Steps one = all.getFirst().rounds().middle().steps();
            double showing = all.get(SHOWING - 1).rounds().middle().perSecond();
            var machine = SimulatedMachine.ofRemembering(CONNECTIONS, memory, remembered, one, SHOWING, showing);
            Steps hit = machine.remembered(remembered);
            Steps miss = machine.forgotten(hit, one, memory);
            head("deciders that remember what one said whose policy changes");
            print(machine);
            System.out.printf(
                    Locale.ROOT,
                    "a request that is answered from memory costs %.1f us where it is asked, one that is not %.1f, and %.1f at the source%n",
                    hit.asked(),
                    miss.asked(),
                    miss.source());
            for (Several each : all) {
                Outcome told = machine.remembering(each.number(), memory, hit, miss);
                print(each.number(), each.rounds().middle(), told);
            }
        } finally {
            running.forEach(RunningServer::close);
        }
    }

    private static void inTurn(List<Rounds> all) throws Exception {
        for (int i = 0; i < TURNS; i++) {
            for (Rounds each : all) {
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
    private void warm(List<RunningServer> asked, LongSupplier numbers) throws Exception {
        for (RunningServer each : asked) {
            try (Connections open = connections(List.of(each), numbers, CONNECTIONS)) {
                double before = Double.MAX_VALUE;
                double now = cost(each, open);
                for (int round = 1; round < MOST_WARMING && now < STEADY * before; round++) {
                    before = now;
                    now = cost(each, open);
                }
            }
        }
    }

    /** Returns the CPU time per request at the target, in microseconds. */
    private double cost(RunningServer asked, Connections open) throws Exception {
        double begin = ProcessorTime.seconds(asked.pid());
        Connections.Round round = open.round(seconds);
        return (ProcessorTime.seconds(asked.pid()) - begin) * 1e6 / round.requests();
    }

    private Connections connections(List<RunningServer> asked, LongSupplier numbers, int number) throws IOException {
        int[] opened = {0};
        return new Connections(
                number,
                () -> new Http1Exchange(
                        tls, asked.get(opened[0]++ % asked.size()).port(), review(numbers)));
    }

    private static Request review(LongSupplier numbers) {
        return Request.of("POST /authorize", "application/json", """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"user-%s",\
                "groups":["staff"],"resourceAttributes":{"namespace":"team","verb":"get","version":"v1",\
                "resource":"pods","name":"web-0"}}}""".formatted(Request.NUMBER), numbers);
    }

    private Measured measure(
            List<RunningServer> asked,
            List<RunningServer> source,
            LongSupplier numbers,
            double changes,
            int connections)
            throws Exception {
        long[] own = {ProcessHandle.current().pid()};
        long[] askedPids = asked.stream().mapToLong(RunningServer::pid).toArray();
        long[] sourcePids = source.stream().mapToLong(RunningServer::pid).toArray();
        try (Connections open = connections(asked, numbers, connections);
                Changing changing = new Changing(changes)) {
            // The cache content at the beginning is that in the middle.
            open.round(seconds / 2);
            double hits = metric(asked, HIT);
            double misses = metric(asked, MISS);
            // Only around the round: reading metrics requires a connection, which costs as much as many requests.
            double client = ProcessorTime.seconds(own);
            double front = ProcessorTime.seconds(askedPids);
            double behind = ProcessorTime.seconds(sourcePids);
            Connections.Round round = open.round(seconds);
            client = ProcessorTime.seconds(own) - client;
            front = ProcessorTime.seconds(askedPids) - front;
            behind = ProcessorTime.seconds(sourcePids) - behind;
            double requests = round.requests() / 1e6;
            double hit = metric(asked, HIT) - hits;
            double miss = metric(asked, MISS) - misses;
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
            await().atMost(Duration.ofMinutes(1)).until(() -> changed >= first + ENOUGH_CHANGES);
            changing.check();
        }
        return (ProcessorTime.seconds(source.pid()) - before) * 1e6 / (changed - first);
    }

    /** Changes the policy at random times until it is closed. */
    private final class Changing implements AutoCloseable {
        private final ScheduledExecutorService thread =
                Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
        private final Random random = new Random(11);
        private final double aSecond;
        private volatile @Nullable IOException failure;

        Changing(double aSecond) {
            this.aSecond = aSecond;
            if (aSecond > 0) {
                plan();
            }
        }

        private void plan() {
            long nanos = (long) (-Math.log(1 - random.nextDouble()) * 1e9 / aSecond);
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
        try (HttpsClient client = HttpsClient.of(pki, WHO_ASKS)) {
            return Metrics.of(client, of.at("/metrics")).count(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void head(String what) {
        System.out.printf(
                "%n%-60s %12s %12s %7s %8s %8s %8s %8s %8s %6s%n",
                what, "real, 1/s", "simulated", "ratio", "hits", "simul.", "client", "asked", "source", "cores");
    }

    private static void print(SimulatedMachine machine) {
        System.out.printf(Locale.ROOT, "to take up another process costs a core %.1f us%n", machine.switching());
    }

    private static void print(int number, Measured real, Outcome told) {
        System.out.printf(
                Locale.ROOT,
                "%-60d %12.0f %12.0f %7.2f %7.1f%% %7.1f%% %8.1f %8.1f %8.1f %6.2f%n",
                number,
                real.perSecond(),
                told.perSecond(),
                told.perSecond() / real.perSecond(),
                100 * real.hits(),
                100 * told.hits(),
                real.client(),
                real.asked(),
                real.source(),
                real.cores());
    }
}
