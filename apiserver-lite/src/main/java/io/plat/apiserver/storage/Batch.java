package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that become durable together. Each is judged against what those before it in the batch have done, so that the
 * outcome is that of one after the other.
 */
final class Batch {
    /** A transaction and whoever waits for it. */
    record Pending(Transaction transaction, CompletableFuture<Outcome> outcome) {}

    private final long time;
    private final List<Change> changes = new ArrayList<>();
    private final List<Pending> members = new ArrayList<>();
    private final List<Outcome> outcomes = new ArrayList<>();
    private long revision;
    private Tree tree;

    Batch(State state, long time) {
        this.revision = state.revision();
        this.tree = state.tree();
        this.time = time;
    }

    void add(Pending member) {
        members.add(member);
        outcomes.add(judge(member.transaction()));
    }

    private Outcome judge(Transaction transaction) {
        for (Transaction.Expectation expectation : transaction.expectations()) {
            Entry actual = tree.get(expectation.key());
            if (expectation.revision() != (actual == null ? Transaction.Expectation.ABSENT : actual.revision())) {
                return new Outcome.Refused(expectation, actual);
            }
        }
        Entry previous = tree.get(transaction.change().key());
        return new Outcome.Committed(
                switch (transaction.change()) {
                    case Transaction.Put put -> put(put, previous);
                    case Transaction.Delete delete -> delete(delete, previous);
                });
    }

    private Event put(Transaction.Put put, @Nullable Entry previous) {
        var entry = new Entry(put.key(), put.value(), ++revision);
        tree = tree.put(entry);
        return record(Event.of(previous, entry));
    }

    private Event delete(Transaction.Delete delete, @Nullable Entry previous) {
        if (previous == null) {
            throw new IllegalStateException("a transaction deletes " + delete.key() + " unseen");
        }
        tree = tree.remove(delete.key());
        return record(Event.deletion(previous, ++revision));
    }

    private Event record(Event event) {
        changes.add(new Change(event, time));
        return event;
    }

    List<Change> changes() {
        return changes;
    }

    long revision() {
        return revision;
    }

    Tree tree() {
        return tree;
    }

    /** Tells everybody what became of their transactions. */
    void complete() {
        for (int i = 0; i < members.size(); i++) {
            members.get(i).outcome().complete(outcomes.get(i));
        }
    }

    /** Tells everybody that nothing became of theirs. Refusals too: they may rest on what did not happen. */
    void fail(StorageException failure) {
        members.forEach(member -> member.outcome().completeExceptionally(failure));
    }
}
