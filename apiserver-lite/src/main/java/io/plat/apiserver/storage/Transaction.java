package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * One change of one key, made only if every expectation holds at that moment.
 *
 * @param change what to do
 * @param expectations what must hold; their keys may be others than the changed one
 * @param frees whether it is made where there is room for nothing else: it deletes, or is a step of a deletion
 */
public record Transaction(Change change, List<Expectation> expectations, boolean frees) {
    /** A transaction that frees room if it deletes. */
    public Transaction(Change change, List<Expectation> expectations) {
        this(change, expectations, change instanceof Delete);
    }

    public Transaction {
        Objects.requireNonNull(change);
        expectations = List.copyOf(expectations);
        if (change instanceof Delete delete && expectations.stream().noneMatch(delete::seenBy)) {
            throw new IllegalArgumentException("the deletion of " + delete.key() + " expects no state of it");
        }
    }

    /** The change of a transaction to its key. */
    public sealed interface Change permits Put, Delete {
        /** The key that changes. */
        Key key();
    }

    /**
     * Writes a value.
     *
     * @param key the key to write
     * @param value at least one byte, not to be changed any more
     */
    @SuppressWarnings("ArrayRecordComponent") // Handed over once and never compared.
    public record Put(Key key, byte[] value) implements Change {
        public Put {
            if (value.length == 0) {
                throw new IllegalArgumentException("an empty value for " + key);
            }
        }
    }

    /**
     * Removes a key. The transaction must expect the key at a revision: nobody deletes what they have not seen.
     *
     * @param key the key to remove
     */
    public record Delete(Key key) implements Change {
        private boolean seenBy(Expectation expectation) {
            return expectation.key().equals(key) && expectation.revision() != Expectation.ABSENT;
        }
    }

    /**
     * The state that a key must be in.
     *
     * @param key the key
     * @param revision the revision of its present state; {@link #ABSENT} if it must not exist
     */
    public record Expectation(Key key, long revision) {
        /** The revision of what does not exist. */
        public static final long ABSENT = 0;

        public Expectation {
            Objects.requireNonNull(key);
            if (revision < 0) {
                throw new IllegalArgumentException("not a revision: " + revision);
            }
        }
    }

    /** Writes a key that must not exist. */
    public static Transaction create(Key key, byte[] value) {
        return new Transaction(new Put(key, value), List.of(new Expectation(key, Expectation.ABSENT)));
    }

    /** Replaces the state that a key had at a revision. */
    public static Transaction replace(Entry seen, byte[] value) {
        return new Transaction(new Put(seen.key(), value), List.of(new Expectation(seen.key(), seen.revision())));
    }

    /** Removes a key in the state that was seen. */
    public static Transaction delete(Entry seen) {
        return new Transaction(new Delete(seen.key()), List.of(new Expectation(seen.key(), seen.revision())));
    }

    /** This transaction as a step of a deletion, where it is one. */
    public Transaction freeing(boolean step) {
        return new Transaction(change, expectations, frees || step);
    }

    /** This transaction, provided that another object is still as it was seen. */
    public Transaction provided(Entry seen) {
        return provided(List.of(seen));
    }

    /** This transaction, provided that other objects are still as they were seen. */
    public Transaction provided(List<Entry> seen) {
        var more = new ArrayList<>(expectations);
        seen.forEach(entry -> more.add(new Expectation(entry.key(), entry.revision())));
        return new Transaction(change, more, frees);
    }

    /** This transaction, provided that another object is still not there. */
    public Transaction providedAbsent(Key key) {
        var more = new ArrayList<>(expectations);
        more.add(new Expectation(key, Expectation.ABSENT));
        return new Transaction(change, more, frees);
    }
}
