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
    private final Set<DeciderNode> out = new LinkedHashSet<>();
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
            planChange();
        }
        if (!scenario.failures().every().isZero()) {
            deciders.forEach(this::planFailure);
        }
    }

    /**
     * Machines of the processes.
     *
     * @param ofServer for one more server
     * @param ofDecider for one more decider
     * @param ofClient of who asks the servers; null for the server's that is asked
     * @param connected whether a server has one decider and a connection to it
     */
    private record Machines(
            Supplier<Processor.Share> ofServer,
            Supplier<Processor.Share> ofDecider,
            Processor.@Nullable Share ofClient,
            boolean connected) {}

    /**
     * A machine that servers, deciders and who asks them share.
     *
     * @param cores how many it has
     * @param switching what it costs a core to take up another process, in microseconds
     * @param oneServer whether the servers are no processes but who asks, a connection to a decider each
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

    /** All of them share the cores of one machine with the clients: {@link #closed}. */
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

    private void planChange() {
        time.after(time.drawn(1e9 / scenario.changes()), () -> {
            int part = time.random().nextInt(scenario.parts());
            long revision = ++revisions[part];
            long changedAt = time.now();
            for (DeciderNode decider : deciders) {
                Duration least = scenario.followed().dividedBy(2);
                time.after(least.toNanos() + time.drawn(least), () -> decider.change(part, revision, changedAt));
            }
            planChange();
        });
    }

    private void planFailure(DeciderNode decider) {
        Scenario.Failures failures = scenario.failures();
        time.after(time.drawn(failures.every()), () -> {
            decider.fail();
            time.after(time.drawn(failures.lasting()), () -> {
                decider.recover();
                out.remove(decider);
                planFailure(decider);
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
        List<DeciderNode> candidates = out.isEmpty()
                ? deciders
                : deciders.stream().filter(each -> !out.contains(each)).toList();
        if (candidates.isEmpty()) {
            return null;
        }
        return candidates.get(time.random().nextInt(candidates.size()));
    }

    /** A request to this decider was lost: it is not used until it recovers. */
    void noticed(DeciderNode decider) {
        if (!decider.up()) {
            out.add(decider);
        }
    }

    /**
     * Open workload: requests arrive at each server at random times, independent of responses.
     *
     * @param aSecond rate of all servers
     * @param warming warm-up seconds
     * @param counted measured seconds
     */
    public Outcome open(double aSecond, double warming, double counted) {
        double apart = 1e9 * servers.size() / aSecond;
        servers.forEach(server -> planRequest(server, apart));
        return run(warming, counted);
    }

    private void planRequest(ServerNode server, double apart) {
        time.after(time.drawn(apart), () -> {
            server.ask(popularity.next(time.random()), 0, () -> {});
            planRequest(server, apart);
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
                time.drawn(micros * 1e3),
                () -> server.ask(popularity.next(time.random()), connection, () -> send(server, connection, micros)),
                () -> {});
    }

    private Outcome run(double warming, double counted) {
        time.runTo((long) (warming * 1e9));
        counts.clear();
        deciders.forEach(DeciderNode::forgetCounts);
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
