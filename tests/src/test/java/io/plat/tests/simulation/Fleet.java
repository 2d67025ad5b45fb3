package io.plat.tests.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Deciders, the servers that ask them, and who asks the servers. Of one thread; a fleet runs once. */
public final class Fleet {
    private final Scenario scenario;
    private final Timeline time;
    private final Counts counts = new Counts();
    private final Popularity popularity;
    private final List<ServerNode> servers = new ArrayList<>();
    private final List<DeciderNode> deciders = new ArrayList<>();
    private final Set<DeciderNode> out = new LinkedHashSet<>();
    private final long[] revisions;

    private Fleet(Scenario scenario, Timeline time, IntFunction<Processor> ofServer, IntFunction<Processor> ofDecider) {
        this.scenario = scenario;
        this.time = time;
        this.popularity = new Popularity(scenario.questions(), scenario.skew());
        this.revisions = new long[scenario.parts()];
        for (int i = 0; i < scenario.deciders(); i++) {
            deciders.add(new DeciderNode(time, ofDecider.apply(i), scenario));
        }
        for (int i = 0; i < scenario.servers(); i++) {
            ServerNode server = new ServerNode(i, time, ofServer.apply(i), scenario, this, counts);
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

    /** Each server and each decider has a machine of its own. */
    public static Fleet apart(Scenario scenario, long seed) {
        Timeline time = new Timeline(seed);
        return new Fleet(
                scenario,
                time,
                _ -> new Processor(time, scenario.serverCores()),
                _ -> new Processor(time, scenario.deciderCores()));
    }

    /** All of them share the cores of one machine with whoever asks, who needs some of them too: {@link #closed}. */
    public static Fleet together(Scenario scenario, int cores, long seed) {
        Timeline time = new Timeline(seed);
        Processor machine = new Processor(time, cores);
        return new Fleet(scenario, time, _ -> machine, _ -> machine);
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

    /** A decider for the next question, at random: how much another waits for nobody knows here. Null if all are known to be down. */
    @Nullable
    DeciderNode pick() {
        List<DeciderNode> candidates = out.isEmpty()
                ? deciders
                : deciders.stream().filter(each -> !out.contains(each)).toList();
        if (candidates.isEmpty()) {
            return null;
        }
        return candidates.get(time.random().nextInt(candidates.size()));
    }

    /** A question to this decider was lost: nobody asks it until it is back. */
    void noticed(DeciderNode decider) {
        if (!decider.up()) {
            out.add(decider);
        }
    }

    /**
     * Requests come to each server at random, whether earlier ones are answered or not.
     *
     * @param aSecond of all servers
     * @param warming seconds that do not count
     * @param counted seconds that count
     */
    public Outcome open(double aSecond, double warming, double counted) {
        double apart = 1e9 * servers.size() / aSecond;
        servers.forEach(server -> planRequest(server, apart));
        return run(warming, counted);
    }

    private void planRequest(ServerNode server, double apart) {
        time.after(time.drawn(apart), () -> {
            server.ask(popularity.next(time.random()), () -> {});
            planRequest(server, apart);
        });
    }

    /**
     * So many connections send the next request when the one before is answered, spread over the servers.
     *
     * @param micros what a request costs whoever sends it, on the server's machine
     */
    public Outcome closed(int connections, double micros, double warming, double counted) {
        for (int i = 0; i < connections; i++) {
            send(servers.get(i % servers.size()), micros);
        }
        return run(warming, counted);
    }

    private void send(ServerNode server, double micros) {
        server.processor()
                .run(
                        time.drawn(micros * 1e3),
                        () -> server.ask(popularity.next(time.random()), () -> send(server, micros)),
                        () -> {});
    }

    private Outcome run(double warming, double counted) {
        time.runTo((long) (warming * 1e9));
        counts.clear();
        deciders.forEach(DeciderNode::forgetCounts);
        long decidersBefore = busy(deciders.stream().map(DeciderNode::processor));
        long serversBefore = busy(servers.stream().map(ServerNode::processor));
        long began = time.now();
        time.runTo(began + (long) (counted * 1e9));
        return counts.outcome(
                counted,
                deciders.stream().mapToLong(DeciderNode::decided).sum(),
                (busy(deciders.stream().map(DeciderNode::processor)) - decidersBefore) / (counted * 1e9),
                (busy(servers.stream().map(ServerNode::processor)) - serversBefore) / (counted * 1e9));
    }

    private static long busy(Stream<Processor> processors) {
        return processors.distinct().mapToLong(Processor::busyNanos).sum();
    }
}
