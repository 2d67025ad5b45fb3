package io.plat.tests.simulation;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.LongConsumer;

/** A decider: decides by the revision that it has, and tells those who follow it of each. */
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
     * Decides a question.
     *
     * @param answer takes the revision that it was decided by
     * @param lost runs if it goes down before
     */
    void decide(ServerNode.Way way, LongConsumer answer, Runnable lost) {
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

    /** The policy has changed, and is told onward once that was taken up. A decider that is down reads it when it comes back. */
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

    /** Goes down with everything it was doing. */
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
