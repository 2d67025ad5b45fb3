package io.plat.apiserver.allocation;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;

/**
 * Allocates the items of a range, each to one owner at a time.
 *
 * <p>An allocated item has a claim in the store that names its owner. The claim counts only while its owner exists and has the item. So
 * nothing is lost: items of a crashed server or a deleted owner can be reallocated. And nothing is allocated twice, without locks and
 * despite concurrent servers:
 * <ul>
 * <li>writing an owner requires its claim to be unchanged;
 * <li>taking over a claim requires it to be unchanged, and its owner to be absent or in the state without the item.
 * </ul>
 *
 * <p>An allocator serves one request, on one thread. Its cost is linear in the number of allocated items and their owners: it reads each
 * state of an owner once, and scans the range at most once for all allocations.
 */
public final class Allocator {
    /** Number of random items that are tried before the range is scanned. */
    private static final int RANDOM_ATTEMPTS = 16;

    /** Maximum pause before a claim is taken over, in which its owner may be written. */
    private static final Duration GRACE = Duration.ofMillis(10);

    private final ObjectStore store;
    private final String resource;
    private final ItemRange range;
    private final RandomGenerator random;
    /** Items of an object in a state; none if it is not this owner. */
    private final BiFunction<Entry, Owner, Set<String>> itemsOf;

    private final Map<Owner, OwnedItems> owners = new HashMap<>();

    /** Position in the range where the next scan begins. */
    private long next;

    private record OwnedItems(long revision, Set<String> items) {}

    /** @param resource resource under which the claims are stored; no API type has it */
    public Allocator(
            ObjectStore store,
            String resource,
            ItemRange range,
            RandomGenerator random,
            BiFunction<Entry, Owner, Set<String>> itemsOf) {
        this.store = store;
        this.resource = resource;
        this.range = range;
        this.random = random;
        this.itemsOf = itemsOf;
        this.next = range.reserved();
    }

    public ItemRange range() {
        return range;
    }

    /**
     * Allocates a specific item. A claim whose owner is absent may belong to a write in progress, so it is taken over only after a random
     * pause: otherwise concurrent requests could take the last item from each other until none of them has another attempt.
     *
     * @return the claim, which is a precondition for writing the owner; empty if the item is allocated to another owner
     */
    public Optional<Entry> allocate(Owner owner, String item) throws StorageException {
        Key key = new Key(resource, "", item);
        boolean paused = false;
        while (true) {
            Snapshot now = store.latest();
            Optional<Entry> claim = now.get(key);
            if (claim.isPresent() && Owner.of(claim.get().value()).equals(owner)) {
                return claim;
            }
            if (!isFree(now, item)) {
                return Optional.empty();
            }
            if (claim.isPresent() && !paused) {
                LockSupport.parkNanos(random.nextLong(GRACE.toNanos()));
                paused = true;
                continue;
            }
            if (store.commit(claimTransaction(owner, key, now)) instanceof Outcome.Committed committed) {
                return Optional.of(committed.event().entry());
            }
        }
    }

    private static Transaction claimTransaction(Owner owner, Key key, Snapshot now) {
        Optional<Entry> claim = now.get(key);
        if (claim.isEmpty()) {
            return Transaction.create(key, owner.bytes());
        }
        Key former = Owner.of(claim.get().value()).key();
        return requireUnchanged(Transaction.replace(claim.get(), owner.bytes()), former, now);
    }

    private static Transaction requireUnchanged(Transaction change, Key former, Snapshot now) {
        Optional<Entry> formerOwner = now.get(former);
        return formerOwner.isPresent() ? change.expecting(formerOwner.get()) : change.expectingAbsent(former);
    }

    /**
     * Allocates a random item.
     *
     * @return the claim; empty if all are allocated
     */
    public Optional<Entry> allocateNext(Owner owner, Predicate<String> excluded) throws StorageException {
        while (true) {
            Optional<String> free = find(excluded);
            if (free.isEmpty()) {
                return Optional.empty();
            }
            Optional<Entry> allocated = allocate(owner, free.get());
            if (allocated.isPresent()) {
                return allocated;
            }
        }
    }

    /** Finds an item that is currently free. */
    public Optional<String> find(Predicate<String> excluded) throws StorageException {
        Snapshot now = store.latest();
        long size = range.size();
        for (int i = 0; i < RANDOM_ATTEMPTS; i++) {
            String item = range.at(random.nextLong(range.reserved(), size));
            if (!excluded.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        for (long i = 0; i < size; i++) {
            String item = range.at(next);
            next = (next + 1) % size;
            if (!excluded.test(item) && isFree(now, item)) {
                return Optional.of(item);
            }
        }
        return Optional.empty();
    }

    public boolean isFree(String item) throws StorageException {
        return isFree(store.latest(), item);
    }

    private boolean isFree(Snapshot now, String item) {
        Optional<Entry> claim = now.get(new Key(resource, "", item));
        if (claim.isEmpty()) {
            return true;
        }
        Owner named = Owner.of(claim.get().value());
        Optional<Entry> object = now.get(named.key());
        return object.isEmpty() || !items(object.get(), named).contains(item);
    }

    private Set<String> items(Entry object, Owner owner) {
        OwnedItems known = owners.get(owner);
        if (known == null || known.revision() != object.revision()) {
            known = new OwnedItems(object.revision(), itemsOf.apply(object, owner));
            owners.put(owner, known);
        }
        return known.items();
    }

    /**
     * Starts removing the claim of an item that its owner has released. Nothing waits for it or depends on it; it only limits the number
     * of stored claims.
     */
    public void release(Owner owner, String item) throws StorageException {
        Snapshot now = store.latest();
        Optional<Entry> claim = now.get(new Key(resource, "", item));
        if (claim.isPresent() && Owner.of(claim.get().value()).equals(owner) && isFree(now, item)) {
            var _ = store.submit(requireUnchanged(Transaction.delete(claim.get()), owner.key(), now));
        }
    }
}
