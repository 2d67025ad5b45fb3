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

    void resetCounts() {
        decided = 0;
    }

    Processor.Share processor() {
        return processor;
    }

    /**
     * Decides a request.
     *
     * @param answer receives the revision of the decision
     * @param onFailure runs if it fails before
     */
    void decide(ServerNode.Route route, LongConsumer answer, Runnable onFailure) {
        if (!up) {
            onFailure.run();
            return;
        }
        processor.read(
                route.connection(),
                time.exponential(costs.deciding() * 1e3),
                () -> {
                    decided++;
                    answer.accept(revisions[route.part()]);
                },
                onFailure);
    }

    /** The policy has changed; followers are notified once the change is in effect. A failed decider reads it when it recovers. */
    void change(int part, long revision, long changedAt) {
        if (!up) {
            revisions[part] = revision;
            return;
        }
        processor.run(
                time.exponential(costs.reloading() * 1e3),
                () -> apply(part, revision, changedAt),
                () -> revisions[part] = revision);
    }

    private void apply(int part, long revision, long changedAt) {
        revisions[part] = Math.max(revisions[part], revision);
        for (ServerNode follower : followers) {
            processor.run(
                    time.exponential(costs.notifying() * 1e3),
                    () -> time.after(network, () -> follower.onRevision(this, part, revision, changedAt)),
                    () -> {});
        }
    }

    void follow(ServerNode server) {
        followers.add(server);
    }

    void unfollow(ServerNode server) {
        followers.remove(server);
    }

    long revision(int part) {
        return revisions[part];
    }

    /** Fails, with all work in progress. */
    void fail() {
        up = false;
        processor.abort();
        for (ServerNode follower : Set.copyOf(followers)) {
            follower.onDisconnect();
        }
        followers.clear();
    }

    void recover() {
        up = true;
    }
}
