package io.plat.tests.simulation;

import org.jspecify.annotations.Nullable;

/** A server: caches decisions for a time and until their revision changes, and requests others from a decider. */
final class ServerNode {
    private final int number;
    private final Timeline time;
    private final Processor.Share processor;
    private final Scenario scenario;
    private final Fleet fleet;
    private final Counts counts;
    private final long network;
    private final long[] until;
    private final long[] revisions;
    private final long[] told;
    private @Nullable DeciderNode followed;

    ServerNode(int number, Timeline time, Processor.Share processor, Scenario scenario, Fleet fleet, Counts counts) {
        this.number = number;
        this.time = time;
        this.processor = processor;
        this.scenario = scenario;
        this.fleet = fleet;
        this.counts = counts;
        this.network = scenario.network().toNanos();
        this.until = new long[scenario.requests()];
        this.revisions = new long[scenario.requests()];
        this.told = new long[scenario.parts()];
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
    void ask(int request, int connection, Runnable answered) {
        long began = time.now();
        int part = part(request);
        if (until[request] > began && revisions[request] == told[part]) {
            counts.hit();
            read(connection, scenario.costs().remembered(), () -> finish(began, answered));
        } else {
            read(
                    connection,
                    scenario.costs().asking(),
                    () -> send(request, new Route(part, connection), began, answered));
        }
    }

    private int part(int request) {
        return Math.floorMod(request + number, scenario.parts());
    }

    private void read(int connection, double micros, Runnable then) {
        processor.read(connection, time.drawn(micros * 1e3), then, () -> {});
    }

    private void spend(double micros, Runnable then) {
        processor.run(time.drawn(micros * 1e3), then, () -> {});
    }

    private void send(int request, Route way, long began, Runnable answered) {
        int part = way.part();
        @Nullable DeciderNode decider = fleet.pick(number);
        if (decider == null) {
            // Without a decider: refused, and not cached.
            counts.failed();
            spend(scenario.costs().answered(), () -> finish(began, answered));
            return;
        }
        time.after(
                network,
                () -> decider.decide(
                        way,
                        revision -> time.after(
                                network,
                                () -> spend(scenario.costs().answered(), () -> {
                                    remember(request, part, revision);
                                    finish(began, answered);
                                })),
                        () -> time.after(scenario.failures().noticed().toNanos(), () -> {
                            counts.again();
                            fleet.noticed(decider);
                            send(request, way, began, answered);
                        })));
    }

    private void remember(int request, int part, long revision) {
        if (revision == told[part]) {
            until[request] = time.now() + scenario.remembered().toNanos();
            revisions[request] = revision;
        }
    }

    private void finish(long began, Runnable answered) {
        counts.answered(time.now() - began);
        answered.run();
    }

    /** Follows a decider, from its current revisions. */
    void follow(DeciderNode decider) {
        followed = decider;
        decider.follow(this);
        for (int part = 0; part < told.length; part++) {
            told[part] = Math.max(told[part], decider.revision(part));
        }
    }

    void told(DeciderNode by, int part, long revision, long changedAt) {
        if (by == followed && revision > told[part]) {
            told[part] = revision;
            counts.stale(time.now() - changedAt);
        }
    }

    void lostStream() {
        followed = null;
        time.after(scenario.failures().noticed().toNanos() + 2 * network, this::followAnother);
    }

    private void followAnother() {
        @Nullable DeciderNode decider = fleet.pick(number);
        if (decider != null && decider.up()) {
            follow(decider);
        } else {
            lostStream();
        }
    }
}
