package io.plat.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deciders, servers that use them, and clients of the servers. Single-threaded; a fleet runs once. */
public final class Fleet {
    private final Scenario scenario;
    private final Timeline time;
    private final Counts counts = new Counts();
    private final Popularity popularity;
    private final List<ServerNode> servers = new ArrayList<>();
    private final List<DeciderNode> deciders = new ArrayList<>();
    private final Set<DeciderNode> down = new LinkedHashSet<>();
    private final long[] revisions;
    private final Processor.@Nullable Share client;
    private final boolean connected;

    private Fleet(Scenario scenario, Timeline time, Machines machines) {
        this.scenario = scenario;
        this.time = time;
        this.popularity = new Popularity(scenario.requests(), scenario.skew());
        this.revisions = new long[scenario.parts()];
        this.client = machines.ofClient();
        this.connected = machines.connected();
        for (int i = 0; i < scenario.deciders(); i++) {
            deciders.add(new DeciderNode(time, machines.ofDecider().get(), scenario));
        }
        for (int i = 0; i < scenario.servers(); i++) {
            ServerNode server = new ServerNode(i, time, machines.ofServer().get(), scenario, this, counts);
            server.follow(deciders.get(i % deciders.size()));
            servers.add(server);
        }
        if (scenario.changes() > 0) {
            scheduleChange();
        }
        if (!scenario.failures().interval().isZero()) {
            deciders.forEach(this::scheduleFailure);
        }
    }

    /**
     * Machines of the processes.
     *
     * @param ofServer creates the processor share of a server
     * @param ofDecider creates that of a decider
     * @param ofClient that of the clients; null if each client shares that of its server
     * @param connected whether each server has a connection to one decider only
     */
    private record Machines(
            Supplier<Processor.Share> ofServer,
            Supplier<Processor.Share> ofDecider,
            Processor.@Nullable Share ofClient,
            boolean connected) {}

    /**
     * A machine that servers, deciders and their clients share.
     *
     * @param cores number of its cores
     * @param switching cost of a context switch, in microseconds
     * @param oneServer whether the servers run in the process of the clients, each with a connection to one decider
     */
    public record Machine(int cores, double switching, boolean oneServer) {}

    /** Each server and each decider has its own machine. */
    public static Fleet apart(Scenario scenario, long seed) {
        Timeline time = new Timeline(seed);
        return new Fleet(
                scenario,
                time,
                new Machines(
                        () -> new Processor(time, scenario.serverCores(), 0).share(0),
                        () -> new Processor(time, scenario.deciderCores(), 0).share(0),
                        null,
                        false));
    }

    /** All processes share the cores of one machine with the clients, as for {@link #closed}. */
    public static Fleet together(Scenario scenario, Machine machine, long seed) {
        Timeline time = new Timeline(seed);
        Processor cores = new Processor(time, machine.cores(), Math.round(machine.switching() * 1e3));
        Processor.Share client = cores.share(0);
        // As many threads read a server's connections as there are cores.
        Supplier<Processor.Share> process = () -> cores.share(machine.cores());
        return new Fleet(
                scenario,
                time,
                new Machines(machine.oneServer() ? () -> client : process, process, client, machine.oneServer()));
    }

    private void scheduleChange() {
        time.after(time.exponential(1e9 / scenario.changes()), () -> {
            int part = time.random().nextInt(scenario.parts());
            long revision = ++revisions[part];
            long changedAt = time.now();
            for (DeciderNode decider : deciders) {
                Duration half = scenario.reloadDelay().dividedBy(2);
                time.after(half.toNanos() + time.exponential(half), () -> decider.change(part, revision, changedAt));
            }
            scheduleChange();
        });
    }

    private void scheduleFailure(DeciderNode decider) {
        Scenario.Failures failures = scenario.failures();
        time.after(time.exponential(failures.interval()), () -> {
            decider.fail();
            time.after(time.exponential(failures.duration()), () -> {
                decider.recover();
                down.remove(decider);
                scheduleFailure(decider);
            });
        });
    }

    /**
     * Returns a random decider for a server's next request, as servers do not know the load of others. Null if all are known to be down.
     */
    @Nullable
    DeciderNode pick(int server) {
        if (connected) {
            return deciders.get(server % deciders.size());
        }
        List<DeciderNode> candidates = down.isEmpty()
                ? deciders
                : deciders.stream().filter(each -> !down.contains(each)).toList();
        if (candidates.isEmpty()) {
            return null;
        }
        return candidates.get(time.random().nextInt(candidates.size()));
    }

    /** A request to this decider was lost: it is not used until it recovers. */
    void onLostRequest(DeciderNode decider) {
        if (!decider.up()) {
            down.add(decider);
        }
    }

    /**
     * Open workload: requests arrive at each server at random times, independent of responses.
     *
     * @param perSecond rate of all servers
     * @param warming warm-up seconds
     * @param counted measured seconds
     */
    public Outcome open(double perSecond, double warming, double counted) {
        double interval = 1e9 * servers.size() / perSecond;
        servers.forEach(server -> scheduleRequest(server, interval));
        return run(warming, counted);
    }

    private void scheduleRequest(ServerNode server, double interval) {
        time.after(time.exponential(interval), () -> {
            server.handle(popularity.next(time.random()), 0, () -> {});
            scheduleRequest(server, interval);
        });
    }

    /**
     * Closed workload: this many connections send the next request after each response, spread over the servers.
     *
     * @param micros cost of a request for the client
     */
    public Outcome closed(int connections, double micros, double warming, double counted) {
        for (int i = 0; i < connections; i++) {
            int server = i % servers.size();
            // Connections are distributed over the threads of their reader: the server, or its decider if it is not a
            // process.
            send(servers.get(server), i / (connected ? deciders.size() : servers.size()), micros);
        }
        return run(warming, counted);
    }

    private void send(ServerNode server, int connection, double micros) {
        Processor.Share sending = client == null ? server.processor() : client;
        sending.run(
                time.exponential(micros * 1e3),
                () -> server.handle(popularity.next(time.random()), connection, () -> send(server, connection, micros)),
                () -> {});
    }

    private Outcome run(double warming, double counted) {
        time.runTo((long) (warming * 1e9));
        counts.clear();
        deciders.forEach(DeciderNode::resetCounts);
        long decidersBefore = busy(deciders.stream().map(DeciderNode::processor));
        long serversBefore = busy(servers.stream().map(ServerNode::processor));
        long clientBefore = client == null ? 0 : client.busyNanos();
        long began = time.now();
        time.runTo(began + (long) (counted * 1e9));
        return counts.outcome(
                counted,
                deciders.stream().mapToLong(DeciderNode::decided).sum(),
                (busy(deciders.stream().map(DeciderNode::processor)) - decidersBefore) / (counted * 1e9),
                (busy(servers.stream().map(ServerNode::processor)) - serversBefore) / (counted * 1e9),
                ((client == null ? 0 : client.busyNanos()) - clientBefore) / (counted * 1e9));
    }

    private static long busy(Stream<Processor.Share> processors) {
        return processors.distinct().mapToLong(Processor.Share::busyNanos).sum();
    }
}
