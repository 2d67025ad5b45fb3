package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * Change of one key, made only if every expectation is met.
 *
 * @param expectations expectations; their keys may differ from the changed one
 * @param freesSpace whether it is made even if there is no space for other writes: it deletes, or is a step of a deletion
 */
public record Transaction(Change change, List<Expectation> expectations, boolean freesSpace) {
    /** Creates a transaction that frees space if it deletes. */
    public Transaction(Change change, List<Expectation> expectations) {
        this(change, expectations, change instanceof Delete);
    }

    public Transaction {
        expectations = List.copyOf(expectations);
        if (change instanceof Delete delete && expectations.stream().noneMatch(delete::isExpectedBy)) {
            throw new IllegalArgumentException("the deletion of " + delete.key() + " expects no state of it");
        }
    }

    /** Change of a key. */
    public sealed interface Change permits Put, Delete {
        Key key();
    }

    /**
     * Write of a value.
     *
     * @param value at least one byte, not to be modified any more
     */
    @SuppressWarnings("ArrayRecordComponent") // Passed on once and never compared.
    public record Put(Key key, byte[] value) implements Change {
        public Put {
            if (value.length == 0) {
                throw new IllegalArgumentException("an empty value for " + key);
            }
        }
    }

    /** Removal of a key. The transaction must expect the key at a revision: blind deletes are not allowed. */
    public record Delete(Key key) implements Change {
        private boolean isExpectedBy(Expectation expectation) {
            return expectation.key().equals(key) && expectation.revision() != Expectation.ABSENT;
        }
    }

    /**
     * Expected state of a key.
     *
     * @param revision revision of its current state; {@link #ABSENT} if it must not exist
     */
    public record Expectation(Key key, long revision) {
        /** Revision of an absent key. */
        public static final long ABSENT = 0;

        public Expectation {
            if (revision < 0) {
                throw new IllegalArgumentException("not a revision: " + revision);
            }
        }
    }

    public static Transaction create(Key key, byte[] value) {
        return new Transaction(new Put(key, value), List.of(new Expectation(key, Expectation.ABSENT)));
    }

    public static Transaction replace(Entry current, byte[] value) {
        return new Transaction(
                new Put(current.key(), value), List.of(new Expectation(current.key(), current.revision())));
    }

    /** Returns a transaction that removes a key in a state. */
    public static Transaction delete(Entry current) {
        return new Transaction(new Delete(current.key()), List.of(new Expectation(current.key(), current.revision())));
    }

    /** Returns this transaction marked as a step of a deletion, which is made even if there is no space for other writes. */
    public Transaction asDeletionStep() {
        return new Transaction(change, expectations, true);
    }

    /** Returns this transaction with the expectation that another object is unchanged. */
    public Transaction expecting(Entry current) {
        return expecting(List.of(current));
    }

    /** Returns this transaction with the expectation that other objects are unchanged. */
    public Transaction expecting(List<Entry> current) {
        var more = new ArrayList<>(expectations);
        current.forEach(entry -> more.add(new Expectation(entry.key(), entry.revision())));
        return new Transaction(change, more, freesSpace);
    }

    /** Returns this transaction with the expectation that another object does not exist. */
    public Transaction expectingAbsent(Key key) {
        var more = new ArrayList<>(expectations);
        more.add(new Expectation(key, Expectation.ABSENT));
        return new Transaction(change, more, freesSpace);
    }
}
