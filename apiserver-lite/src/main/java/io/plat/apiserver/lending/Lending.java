package io.plat.apiserver.lending;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Lends the items of a supply, each to one borrower at a time.
 *
 * <p>An item that is lent has a note in the store that names its borrower. The note alone lends nothing: it counts while its borrower is
 * there and has the item. So nothing is ever lost: what a server that died had noted, or what a borrower that was deleted has left, is
 * for whoever takes it next. And nothing is ever lent twice, without a lock and whatever other servers do meanwhile:
 *
 * <ul>
 *   <li>a borrower is written on the condition that its note is still as it was made;
 *   <li>a note is taken over on the condition that it is as it was seen, and that its borrower is still not there, or is still in the
 *       state in which it does not have the item.
 * </ul>
 */
public final class Lending {
    /** How often one is drawn before all are gone through. */
    private static final int DRAWS = 16;

    private final ObjectStore store;
    private final String resource;
    private final Supply supply;
    private final RandomGenerator random;
    private final Holding holding;

    /** What objects have. */
    public interface Holding {
        /** Whether an object, in a state, is this borrower and has the item. */
        boolean has(Entry object, Borrower borrower, String item);
    }

    /**
     * A lending.
     *
     * @param resource under which the notes are kept; no type of the API has it
     */
    public Lending(ObjectStore store, String resource, Supply supply, RandomGenerator random, Holding holding) {
        this.store = store;
        this.resource = resource;
        this.supply = supply;
        this.random = random;
        this.holding = holding;
    }

    /** What there is to lend. */
    public Supply supply() {
        return supply;
    }

    /**
     * Lends an item.
     *
     * @return the note, which is a condition of writing the borrower; empty if somebody else has the item
     */
    public Optional<Entry> take(Borrower borrower, String item) throws StorageException {
        Key place = new Key(resource, "", item);
        while (true) {
            Snapshot now = store.latest();
            Optional<Entry> note = now.get(place);
            if (note.isPresent() && Borrower.of(note.get().value()).equals(borrower)) {
                return note;
            }
            if (!isFree(now, item)) {
                return Optional.empty();
            }
            if (store.commit(claim(borrower, place, now)) instanceof Outcome.Committed committed) {
                return Optional.of(committed.event().entry());
            }
        }
    }

    private static Transaction claim(Borrower borrower, Key place, Snapshot now) throws StorageException {
        Optional<Entry> note = now.get(place);
        if (note.isEmpty()) {
            return Transaction.create(place, borrower.bytes());
        }
        Key former = Borrower.of(note.get().value()).key();
        return stillWithout(Transaction.replace(note.get(), borrower.bytes()), former, now);
    }

    /** A change of a note on the condition that who is named in it is as it was seen. */
    private static Transaction stillWithout(Transaction change, Key former, Snapshot now) throws StorageException {
        Optional<Entry> seen = now.get(former);
        return seen.isPresent() ? change.provided(seen.get()) : change.providedAbsent(former);
    }

    /**
     * Lends any item.
     *
     * @param unwanted those that must not be drawn
     * @return the note; empty if all are lent
     */
    public Optional<Entry> draw(Borrower borrower, Predicate<String> unwanted) throws StorageException {
        while (true) {
            Optional<String> found = find(unwanted);
            if (found.isEmpty()) {
                return Optional.empty();
            }
            Optional<Entry> taken = take(borrower, found.get());
            if (taken.isPresent()) {
                return taken;
            }
        }
    }

    /**
     * An item that nobody has at this moment.
     *
     * @param unwanted those that do not count
     */
    public Optional<String> find(Predicate<String> unwanted) throws StorageException {
        Snapshot now = store.latest();
        long size = supply.size();
        long from = supply.keptBack();
        for (int i = 0; i < DRAWS; i++) {
            String item = supply.at(random.nextLong(from, size));
            if (!unwanted.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        for (long i = 0; i < size; i++) {
            String item = supply.at((from + i) % size);
            if (!unwanted.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        return Optional.empty();
    }

    /** Whether nobody has an item at this moment. */
    public boolean isFree(String item) throws StorageException {
        return isFree(store.latest(), item);
    }

    private boolean isFree(Snapshot now, String item) throws StorageException {
        Optional<Entry> note = now.get(new Key(resource, "", item));
        if (note.isEmpty()) {
            return true;
        }
        Borrower named = Borrower.of(note.get().value());
        Optional<Entry> object = now.get(named.key());
        return object.isEmpty() || !holding.has(object.get(), named, item);
    }

    /**
     * Begins to remove the note of an item that its borrower no longer has. Nobody waits for that, and nothing depends on it: it keeps
     * what is stored small.
     */
    public void giveBack(Borrower borrower, String item) throws StorageException {
        Snapshot now = store.latest();
        Optional<Entry> note = now.get(new Key(resource, "", item));
        if (note.isPresent() && Borrower.of(note.get().value()).equals(borrower) && isFree(now, item)) {
            var _ = store.submit(stillWithout(Transaction.delete(note.get()), borrower.key(), now));
        }
    }
}
