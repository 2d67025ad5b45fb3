package io.plat.apiserver.storage.embedded;

import io.plat.apiserver.storage.Change;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.ForeignEntries;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.StoreState;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.storage.Tree;
import io.plat.apiserver.storage.VersionedMemory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Transactions that become durable together. Each is evaluated on top of the previous ones in the batch, so that the outcome is that of
 * sequential execution.
 */
final class Batch {
    record Pending(Transaction transaction, CompletableFuture<Outcome> outcome) {}

    private final long time;
    private final List<Change> changes = new ArrayList<>();
    private final List<Pending> members = new ArrayList<>();
    /** Null for a transaction for which there is no space. */
    private final List<@Nullable Outcome> outcomes = new ArrayList<>();

    private final VersionedMemory memory;
    private final ForeignEntries foreign;

    private final Map<String, Long> grown = new HashMap<>();

    private long revision;
    private Tree tree;

    /** @param memory published state, on top of which the transactions are evaluated */
    Batch(VersionedMemory memory, long time, ForeignEntries foreign) {
        StoreState state = memory.state();
        this.memory = memory;
        this.foreign = foreign;
        this.revision = state.revision();
        this.tree = state.tree();
        this.time = time;
    }

    void add(Pending member) {
        members.add(member);
        outcomes.add(evaluate(member.transaction()));
    }

    private @Nullable Outcome evaluate(Transaction transaction) {
        Key changed = transaction.key();
        Entry previous = tree.get(changed);
        for (Transaction.Expectation expectation : transaction.expectations()) {
            Entry actual = expectation.key().equals(changed) ? previous : tree.get(expectation.key());
            if (expectation.revision() != (actual == null ? Transaction.Expectation.ABSENT : actual.revision())
                    || foreign.contains(expectation.key())) {
                return new Outcome.Refused(expectation, actual);
            }
        }
        byte[] value = transaction.value();
        Event event = value == null
                ? delete(changed, previous)
                : put(new Entry(changed, value, revision + 1), previous, transaction.freesSpace());
        return event == null ? null : new Outcome.Committed(event);
    }

    /** Returns the event of a write; null if there is no space. */
    private @Nullable Event put(Entry entry, @Nullable Entry previous, boolean freesSpace) {
        return memory.hasRoom(tree, grown, previous, entry, freesSpace) ? record(Event.of(previous, entry)) : null;
    }

    private Event delete(Key key, @Nullable Entry previous) {
        if (previous == null) {
            throw new IllegalStateException("a transaction deletes " + key + " unseen");
        }
        return record(Event.deletion(previous, revision + 1));
    }

    private Event record(Event event) {
        revision = event.revision();
        tree = tree.after(event);
        VersionedMemory.count(event, grown);
        changes.add(new Change(event, time, tree));
        return event;
    }

    List<Change> changes() {
        return changes;
    }

    long revision() {
        return revision;
    }

    void complete() {
        for (int i = 0; i < members.size(); i++) {
            Outcome outcome = outcomes.get(i);
            if (outcome == null) {
                members.get(i).outcome().completeExceptionally(memory.full(tree));
            } else {
                members.get(i).outcome().complete(outcome);
            }
        }
    }

    /** Moves transactions that free space to another batch, and fails all others. */
    void moveFreeing(Batch other, StorageException failure) {
        for (Pending member : members) {
            if (member.transaction().freesSpace()) {
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
