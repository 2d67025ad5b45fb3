package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StorageException.Kind;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Tree;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that become durable together. Each is evaluated on top of the previous ones in the batch, so that the outcome is that of
 * sequential execution.
 */
final class Batch {
    /** Transaction and the future of its caller. */
    record Pending(Transaction transaction, CompletableFuture<Outcome> outcome) {}

    private final long time;
    private final List<Change> changes = new ArrayList<>();
    private final List<Pending> members = new ArrayList<>();
    /** Null for a transaction for which there is no space. */
    private final List<@Nullable Outcome> outcomes = new ArrayList<>();

    private final long room;
    private final ForeignEntries foreign;
    private long revision;
    private Tree tree;

    /**
     * @param room approximate memory limit of the objects
     * @param foreign entries in the log that are not in the tree
     */
    Batch(StoreState state, long time, long room, ForeignEntries foreign) {
        this.foreign = foreign;
        this.room = room;
        this.revision = state.revision();
        this.tree = state.tree();
        this.time = time;
    }

    void add(Pending member) {
        members.add(member);
        outcomes.add(judge(member.transaction()));
    }

    private @Nullable Outcome judge(Transaction transaction) {
        for (Transaction.Expectation expectation : transaction.expectations()) {
            Entry actual = tree.get(expectation.key());
            if (expectation.revision() != (actual == null ? Transaction.Expectation.ABSENT : actual.revision())
                    || foreign.contains(expectation.key())) {
                return new Outcome.Refused(expectation, actual);
            }
        }
        Entry previous = tree.get(transaction.change().key());
        Event event = switch (transaction.change()) {
            case Transaction.Put put -> put(new Entry(put.key(), put.value(), revision + 1), previous);
            case Transaction.Delete delete -> delete(delete, previous);
        };
        return event == null ? null : new Outcome.Committed(event);
    }

    /**
     * Returns the event of a write; null if there is no space. Existing objects may shrink, or grow a little: a deletion starts by adding
     * a timestamp.
     */
    private @Nullable Event put(Entry entry, @Nullable Entry previous) {
        long growth = entry.weight() - (previous == null ? 0 : previous.weight());
        if (growth > 0 && tree.weight() + growth > (previous == null ? room : room + room / 20)) {
            return null;
        }
        return record(Event.of(previous, entry));
    }

    private Event delete(Transaction.Delete delete, @Nullable Entry previous) {
        if (previous == null) {
            throw new IllegalStateException("a transaction deletes " + delete.key() + " unseen");
        }
        return record(Event.deletion(previous, revision + 1));
    }

    private Event record(Event event) {
        revision = event.revision();
        tree = tree.after(event);
        changes.add(new Change(event, time, tree));
        return event;
    }

    List<Change> changes() {
        return changes;
    }

    long revision() {
        return revision;
    }

    /** Completes every transaction with its outcome. */
    void complete() {
        for (int i = 0; i < members.size(); i++) {
            Outcome outcome = outcomes.get(i);
            if (outcome == null) {
                members.get(i).outcome().completeExceptionally(full());
            } else {
                members.get(i).outcome().complete(outcome);
            }
        }
    }

    private StorageException full() {
        return new StorageException(
                Kind.FULL,
                "the objects take " + tree.weight() + " bytes of memory and may take " + room + ": delete some first");
    }

    /** Moves transactions that free space to another batch, and fails all others. */
    void moveFreeing(Batch other, StorageException failure) {
        for (Pending member : members) {
            if (member.transaction().frees()) {
                other.add(member);
            } else {
                member.outcome().completeExceptionally(failure);
            }
        }
    }

    /** Fails every transaction, including refused ones: they may depend on changes that did not happen. */
    void fail(StorageException failure) {
        members.forEach(member -> member.outcome().completeExceptionally(failure));
    }
}
