package io.plat.tests.simulation;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** A decider: decides by its revision, and notifies its followers of each new one. */
final class DeciderNode {
    private final Timeline time;
    private final Processor.Share processor;
    private final Costs costs;
    private final long network;
    private final long[] revisions;
    private final Set<ServerNode> followers = new LinkedHashSet<>();
    private boolean up = true;
    private long decided;

    DeciderNode(Timeline time, Processor.Share processor, Scenario scenario) {
        this.time = time;
        this.processor = processor;
        this.costs = scenario.costs();
        this.network = scenario.network().toNanos();
        this.revisions = new long[scenario.parts()];
    }

    boolean up() {
        return up;
    }

    long decided() {
        return decided;
    }

    void forgetCounts() {
        decided = 0;
    }

    Processor.Share processor() {
        return processor;
    }

    /**
     * Decides a request.
     *
     * @param answer receives the revision of the decision
     * @param lost runs if it fails before
     */
    void decide(ServerNode.Route way, LongConsumer answer, Runnable lost) {
        if (!up) {
            lost.run();
            return;
        }
        processor.read(
                way.connection(),
                time.drawn(costs.deciding() * 1e3),
                () -> {
                    decided++;
                    answer.accept(revisions[way.part()]);
                },
                lost);
    }

    /** The policy has changed; followers are notified once the change is in effect. A failed decider reads it when it recovers. */
    void change(int part, long revision, long changedAt) {
        if (!up) {
            revisions[part] = revision;
            return;
        }
        processor.run(
                time.drawn(costs.changing() * 1e3),
                () -> took(part, revision, changedAt),
                () -> revisions[part] = revision);
    }

    private void took(int part, long revision, long changedAt) {
        revisions[part] = Math.max(revisions[part], revision);
        for (ServerNode follower : followers) {
            processor.run(
                    time.drawn(costs.telling() * 1e3),
                    () -> time.after(network, () -> follower.told(this, part, revision, changedAt)),
                    () -> {});
        }
    }

    void follow(ServerNode server) {
        followers.add(server);
    }

    void leave(ServerNode server) {
        followers.remove(server);
    }

    long revision(int part) {
        return revisions[part];
    }

    /** Fails, with all work in progress. */
    void fail() {
        up = false;
        processor.lose();
        for (ServerNode follower : Set.copyOf(followers)) {
            follower.lostStream();
        }
        followers.clear();
    }

    void recover() {
        up = true;
    }
}
