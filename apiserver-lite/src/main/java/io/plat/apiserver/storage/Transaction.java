package io.plat.apiserver.storage;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Change of one key, made only if every expectation is met.
 *
 * @param value value to write, at least one byte and not to be modified any more; null to remove the key, which must then be expected at a
 *     revision: blind deletes are not allowed
 * @param expectations expectations; their keys may differ from the changed one
 * @param freesSpace whether it is made even if there is no space for other writes: it deletes, or is a step of a deletion
 */
@SuppressWarnings("ArrayRecordComponent") // Passed on once and never compared.
public record Transaction(Key key, byte @Nullable [] value, List<Expectation> expectations, boolean freesSpace) {
    /** Creates a transaction that frees space if it deletes. */
    public Transaction(Key key, byte @Nullable [] value, List<Expectation> expectations) {
        this(key, value, expectations, value == null);
    }

    public Transaction(Key key, byte @Nullable [] value, List<Expectation> expectations, boolean freesSpace) {
        if (value != null && value.length == 0) {
            throw new IllegalArgumentException("an empty value for " + key);
        }
        if (value == null && expectations.stream().noneMatch(expected -> expected.isStateOf(key))) {
            throw new IllegalArgumentException("the deletion of " + key + " expects no state of it");
        }
        this.key = key;
        this.value = value;
        this.expectations = List.copyOf(expectations);
        this.freesSpace = freesSpace;
    }

    /**
     * Expected state of a key.
     *
     * @param revision revision of its current state; {@link #ABSENT} if it must not exist
     */
    public record Expectation(Key key, long revision) {
        public static final long ABSENT = 0;

        public Expectation {
            if (revision < 0) {
                throw new IllegalArgumentException("not a revision: " + revision);
            }
        }

        private boolean isStateOf(Key changed) {
            return key.equals(changed) && revision != ABSENT;
        }
    }

    public static Transaction create(Key key, byte[] value) {
        return new Transaction(key, value, List.of(new Expectation(key, Expectation.ABSENT)));
    }

    public static Transaction replace(Entry current, byte[] value) {
        return new Transaction(current.key(), value, List.of(new Expectation(current.key(), current.revision())));
    }

    public static Transaction delete(Entry current) {
        return new Transaction(current.key(), null, List.of(new Expectation(current.key(), current.revision())));
    }

    /** Returns this transaction marked as a step of a deletion, which is made even if there is no space for other writes. */
    public Transaction asDeletionStep() {
        return new Transaction(key, value, expectations, true);
    }

    public Transaction expecting(Entry current) {
        return expecting(List.of(current));
    }

    /** Returns this transaction with the expectation that other objects are unchanged. */
    public Transaction expecting(List<Entry> current) {
        var more = new ArrayList<>(expectations);
        current.forEach(entry -> more.add(new Expectation(entry.key(), entry.revision())));
        return new Transaction(key, value, more, freesSpace);
    }

    /** Returns this transaction with the expectation that another object does not exist. */
    public Transaction expectingAbsent(Key absent) {
        var more = new ArrayList<>(expectations);
        more.add(new Expectation(absent, Expectation.ABSENT));
        return new Transaction(key, value, more, freesSpace);
    }
}
