package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.allocation.Allocator;
import io.plat.apiserver.allocation.Owner;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
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
 * Object about to be written, with the items allocated to it. For one thread.
 *
 * @param object the object, modified with each item
 * @param owner owner of the items; null if none are allocated
 * @param dryRun whether to only check what could be allocated
 */
public record Allocation(
        Target target,
        ObjectNode object,
        @Nullable Owner owner,
        boolean dryRun,
        List<Entry> notes,
        List<Allocator> from) {
    /** Returns an allocation for an object that needs no items. */
    public static Allocation none(Target target, ObjectNode object) {
        return new Allocation(target, object, null, true, new ArrayList<>(), new ArrayList<>());
    }

    /** Returns whether the object may have been changed. */
    public boolean changes() {
        return owner != null;
    }

    /** Allocates an item; returns false if it is allocated to another object. */
    boolean take(Allocator allocator, String item) throws StorageException {
        if (dryRun) {
            return allocator.isFree(item);
        }
        Optional<Entry> note = allocator.take(Objects.requireNonNull(owner), item);
        note.ifPresent(created -> add(allocator, created));
        return note.isPresent();
    }

    /**
     * Allocates a random item.
     *
     * @param unwanted items that the object already has
     * @param what kind of item, in Kubernetes' messages
     * @throws StatusException 500 if all are allocated
     */
    String draw(Allocator allocator, Predicate<String> unwanted, String what) throws StatusException, StorageException {
        Optional<String> drawn;
        if (dryRun) {
            drawn = allocator.find(unwanted);
        } else {
            Optional<Entry> note = allocator.draw(Objects.requireNonNull(owner), unwanted);
            note.ifPresent(created -> add(allocator, created));
            drawn = note.map(created -> created.key().name());
        }
        return drawn.orElseThrow(() -> new StatusException(
                StatusReason.INTERNAL_ERROR,
                "Internal error occurred: failed to allocate a " + what + ": range is full"));
    }

    private void add(Allocator allocator, Entry note) {
        notes.add(note);
        from.add(allocator);
    }

    /** Returns the write of the object, conditional on its allocations. */
    public Transaction holding(Transaction write) {
        return write.provided(notes);
    }

    /** Step of a write between the allocation and the commit. */
    public interface Step<T> {
        T run() throws StatusException, StorageException;
    }

    /** Runs a step; releases all items if it fails, with an exception or an error. */
    public <T> T orRelease(Step<T> step) throws StatusException, StorageException {
        try {
            return step.run();
        } catch (Throwable failure) {
            release();
            throw failure;
        }
    }

    /** Releases all items, if the object was not written. */
    public void release() throws StorageException {
        for (int i = 0; i < notes.size(); i++) {
            from.get(i)
                    .release(Objects.requireNonNull(owner), notes.get(i).key().name());
        }
    }

    /** Returns the rejection of a requested item. */
    StatusException refusal(String field, String badValue, String detail) {
        var causes = new Causes();
        causes.invalidLiteral(field, badValue, detail);
        return ApiErrors.invalid(target.type(), target.name(), causes.list());
    }
}
