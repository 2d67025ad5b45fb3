package io.plat.tests.simulation;

import org.jspecify.annotations.Nullable;

/** A server: caches decisions until they expire or the revision changes, and requests all others from a decider. */
final class ServerNode {
    private final int number;
    private final Timeline time;
    private final Processor.Share processor;
    private final Scenario scenario;
    private final Fleet fleet;
    private final Counts counts;
    private final long network;
    private final long[] expiries;
    private final long[] revisions;
    private final long[] known;
    private @Nullable DeciderNode followed;

    ServerNode(int number, Timeline time, Processor.Share processor, Scenario scenario, Fleet fleet, Counts counts) {
        this.number = number;
        this.time = time;
        this.processor = processor;
        this.scenario = scenario;
        this.fleet = fleet;
        this.counts = counts;
        this.network = scenario.network().toNanos();
        this.expiries = new long[scenario.requests()];
        this.revisions = new long[scenario.requests()];
        this.known = new long[scenario.parts()];
    }

    /**
     * Route of a request to a decider.
     *
     * @param part partition of the policy
     * @param connection connection
     */
    record Route(int part, int connection) {}

    Processor.Share processor() {
        return processor;
    }

    /** Handles a request of a connection that needs a decision, then continues. */
    void handle(int request, int connection, Runnable onAnswer) {
        long began = time.now();
        int part = part(request);
        if (expiries[request] > began && revisions[request] == known[part]) {
            counts.hit();
            read(connection, scenario.costs().hit(), () -> finish(began, onAnswer));
        } else {
            read(
                    connection,
                    scenario.costs().forwarding(),
                    () -> send(request, new Route(part, connection), began, onAnswer));
        }
    }

    private int part(int request) {
        return Math.floorMod(request + number, scenario.parts());
    }

    private void read(int connection, double micros, Runnable next) {
        processor.read(connection, time.exponential(micros * 1e3), next, () -> {});
    }

    private void spend(double micros, Runnable next) {
        processor.run(time.exponential(micros * 1e3), next, () -> {});
    }

    private void send(int request, Route route, long began, Runnable onAnswer) {
        int part = route.part();
        @Nullable DeciderNode decider = fleet.pick(number);
        if (decider == null) {
            // Without a decider, the request is refused and the result is not cached.
            counts.failed();
            spend(scenario.costs().receiving(), () -> finish(began, onAnswer));
            return;
        }
        time.after(
                network,
                () -> decider.decide(
                        route,
                        revision -> time.after(
                                network,
                                () -> spend(scenario.costs().receiving(), () -> {
                                    cache(request, part, revision);
                                    finish(began, onAnswer);
                                })),
                        () -> time.after(scenario.failures().detection().toNanos(), () -> {
                            counts.retry();
                            fleet.onLostRequest(decider);
                            send(request, route, began, onAnswer);
                        })));
    }

    private void cache(int request, int part, long revision) {
        if (revision == known[part]) {
            expiries[request] = time.now() + scenario.ttl().toNanos();
            revisions[request] = revision;
        }
    }

    private void finish(long began, Runnable onAnswer) {
        counts.answered(time.now() - began);
        onAnswer.run();
    }

    /** Follows a decider, from its current revisions. */
    void follow(DeciderNode decider) {
        followed = decider;
        decider.follow(this);
        for (int part = 0; part < known.length; part++) {
            known[part] = Math.max(known[part], decider.revision(part));
        }
    }

    void onRevision(DeciderNode decider, int part, long revision, long changedAt) {
        if (decider == followed && revision > known[part]) {
            known[part] = revision;
            counts.stale(time.now() - changedAt);
        }
    }

    void onDisconnect() {
        followed = null;
        time.after(scenario.failures().detection().toNanos() + 2 * network, this::followAnother);
    }

    private void followAnother() {
        @Nullable DeciderNode decider = fleet.pick(number);
        if (decider != null && decider.up()) {
            follow(decider);
        } else {
            onDisconnect();
        }
    }
}
