package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.Allocator;
import io.plat.apiserver.allocation.Owner;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Object about to be written, with the items allocated to it. Not thread-safe.
 *
 * @param object the object, modified with each item
 * @param owner owner of the items; null if none are allocated
 * @param dryRun whether to only check what could be allocated
 */
public record Allocation(
        Target target, ObjectNode object, @Nullable Owner owner, boolean dryRun, List<AllocatedItem> items) {
    /** Allocated item, by its claim. */
    record AllocatedItem(Allocator allocator, Entry claim) {}

    public static Allocation none(Target target, ObjectNode object) {
        return new Allocation(target, object, null, true, new ArrayList<>());
    }

    public boolean changes() {
        return owner != null;
    }

    /** Allocates an item; returns false if it is allocated to another object. */
    boolean allocate(Allocator allocator, String item) throws StorageException {
        if (dryRun) {
            return allocator.isFree(item);
        }
        Optional<Entry> claim = allocator.allocate(Objects.requireNonNull(owner), item);
        claim.ifPresent(created -> items.add(new AllocatedItem(allocator, created)));
        return claim.isPresent();
    }

    /**
     * Allocates a random item.
     *
     * @param excluded items that the object already has
     * @param what kind of item, in Kubernetes' messages
     * @throws StatusException 500 if all are allocated
     */
    String allocateNext(Allocator allocator, Predicate<String> excluded, String what)
            throws StatusException, StorageException {
        Optional<String> allocated;
        if (dryRun) {
            allocated = allocator.find(excluded);
        } else {
            Optional<Entry> claim = allocator.allocateNext(Objects.requireNonNull(owner), excluded);
            claim.ifPresent(created -> items.add(new AllocatedItem(allocator, created)));
            allocated = claim.map(created -> created.key().name());
        }
        return allocated.orElseThrow(() -> new StatusException(
                StatusReason.INTERNAL_ERROR,
                "Internal error occurred: failed to allocate a " + what + ": range is full"));
    }

    public Transaction conditional(Transaction write) {
        return items.isEmpty()
                ? write
                : write.expecting(items.stream().map(AllocatedItem::claim).toList());
    }

    /** Runs a step between the allocation and the commit; releases all items if it fails, with an exception or an error. */
    public <T> T orRelease(RequestStore.Step<T> step) throws StatusException, StorageException {
        try {
            return step.run();
        } catch (Throwable failure) {
            release();
            throw failure;
        }
    }

    /** Releases all items, if the object was not written. */
    public void release() throws StorageException {
        for (AllocatedItem item : items) {
            item.allocator()
                    .release(Objects.requireNonNull(owner), item.claim().key().name());
        }
    }

    StatusException refusal(String field, String badValue, String detail) {
        return ApiErrors.invalid(
                target.type(), target.name(), causes -> causes.field(field, "").invalidLiteral(badValue, detail));
    }
}
