package io.plat.apiserver.allocation;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Allocates the items of a range, each to one owner at a time.
 *
 * <p>An allocated item has a note in the store that names its owner. The note counts only while its owner exists and has the item. So
 * nothing is lost: items of a crashed server or a deleted owner can be reallocated. And nothing is allocated twice, without locks and
 * despite concurrent servers:
 * <ul>
 * <li>writing an owner requires its note to be unchanged;
 * <li>taking over a note requires it to be unchanged, and its owner to be absent or in the state without the item.
 * </ul>
 *
 * <p>An allocator serves one request, on one thread. Its cost is linear in the number of drawn items and their owners: it reads each
 * state of an owner once, and scans the range at most once for all draws.
 */
public final class Allocator {
    /** Number of random draws before the range is scanned. */
    private static final int DRAWS = 16;

    private final ObjectStore store;
    private final String resource;
    private final ItemRange range;
    private final RandomGenerator random;
    /** Items of an object in a state; none if it is not this owner. */
    private final BiFunction<Entry, Owner, Set<String>> holding;

    private final Map<Owner, OwnedItems> owners = new HashMap<>();

    /** Position in the range where the next scan begins. */
    private long next;

    private record OwnedItems(long revision, Set<String> items) {}

    /** @param resource resource under which the notes are stored; no API type has it */
    public Allocator(
            ObjectStore store,
            String resource,
            ItemRange range,
            RandomGenerator random,
            BiFunction<Entry, Owner, Set<String>> holding) {
        this.store = store;
        this.resource = resource;
        this.range = range;
        this.random = random;
        this.holding = holding;
        this.next = range.reserved();
    }

    public ItemRange range() {
        return range;
    }

    /**
     * Allocates a specific item.
     *
     * @return the note, which is a precondition for writing the owner; empty if the item is allocated to another owner
     */
    public Optional<Entry> take(Owner owner, String item) throws StorageException {
        Key key = new Key(resource, "", item);
        while (true) {
            Snapshot now = store.latest();
            Optional<Entry> note = now.get(key);
            if (note.isPresent() && Owner.of(note.get().value()).equals(owner)) {
                return note;
            }
            if (!isFree(now, item)) {
                return Optional.empty();
            }
            if (store.commit(claim(owner, key, now)) instanceof Outcome.Committed committed) {
                return Optional.of(committed.event().entry());
            }
        }
    }

    private static Transaction claim(Owner owner, Key key, Snapshot now) {
        Optional<Entry> note = now.get(key);
        if (note.isEmpty()) {
            return Transaction.create(key, owner.bytes());
        }
        Key former = Owner.of(note.get().value()).key();
        return requireUnchanged(Transaction.replace(note.get(), owner.bytes()), former, now);
    }

    /** Adds the precondition that the former owner in the note is unchanged. */
    private static Transaction requireUnchanged(Transaction change, Key former, Snapshot now) {
        Optional<Entry> formerOwner = now.get(former);
        return formerOwner.isPresent() ? change.provided(formerOwner.get()) : change.providedAbsent(former);
    }

    /**
     * Allocates a random item.
     *
     * @param unwanted items that must not be drawn
     * @return the note; empty if all are allocated
     */
    public Optional<Entry> draw(Owner owner, Predicate<String> unwanted) throws StorageException {
        while (true) {
            Optional<String> free = find(unwanted);
            if (free.isEmpty()) {
                return Optional.empty();
            }
            Optional<Entry> allocated = take(owner, free.get());
            if (allocated.isPresent()) {
                return allocated;
            }
        }
    }

    /**
     * Finds an item that is currently free.
     *
     * @param unwanted items to skip
     */
    public Optional<String> find(Predicate<String> unwanted) throws StorageException {
        Snapshot now = store.latest();
        long size = range.size();
        for (int i = 0; i < DRAWS; i++) {
            String item = range.at(random.nextLong(range.reserved(), size));
            if (!unwanted.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        for (long i = 0; i < size; i++) {
            String item = range.at(next);
            next = (next + 1) % size;
            if (!unwanted.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        return Optional.empty();
    }

    /** Returns whether an item is currently free. */
    public boolean isFree(String item) throws StorageException {
        return isFree(store.latest(), item);
    }

    private boolean isFree(Snapshot now, String item) {
        Optional<Entry> note = now.get(new Key(resource, "", item));
        if (note.isEmpty()) {
            return true;
        }
        Owner named = Owner.of(note.get().value());
        Optional<Entry> object = now.get(named.key());
        return object.isEmpty() || !held(object.get(), named).contains(item);
    }

    private Set<String> held(Entry object, Owner owner) {
        OwnedItems known = owners.get(owner);
        if (known == null || known.revision() != object.revision()) {
            known = new OwnedItems(object.revision(), holding.apply(object, owner));
            owners.put(owner, known);
        }
        return known.items();
    }

    /**
     * Starts removing the note of an item that its owner has released. Nothing waits for it or depends on it; it only limits the number
     * of stored notes.
     */
    public void release(Owner owner, String item) throws StorageException {
        Snapshot now = store.latest();
        Optional<Entry> note = now.get(new Key(resource, "", item));
        if (note.isPresent() && Owner.of(note.get().value()).equals(owner) && isFree(now, item)) {
            var _ = store.submit(requireUnchanged(Transaction.delete(note.get()), owner.key(), now));
        }
    }
}
