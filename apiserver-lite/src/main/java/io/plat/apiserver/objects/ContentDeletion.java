package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ResourceType;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Deletion of all objects in a namespace, or of a custom type, by the controller of their namespace or definition. Each deletion is
 * admitted: the right to delete a namespace or a definition must not be the right to delete objects that a policy keeps.
 */
public record ContentDeletion(ObjectStore store, ObjectIdentity identity, Check check) {
    private static final int PAGE = 500;

    /** Admission of the deletion of an object. */
    public interface Check {
        /**
         * Checks the deletion of a stored object.
         *
         * @throws StatusException if a policy denies it
         */
        void admit(ResourceType type, Entry entry, Requester controller) throws StatusException, StorageException;
    }

    /**
     * Deletes the objects of a type, or marks those that have finalizers.
     *
     * @param namespace namespace of the objects; {@code ""} for all
     * @param denied receives the denials, in the order of the objects
     */
    public boolean run(ResourceType type, String namespace, Requester controller, Consumer<StatusException> denied)
            throws StorageException {
        KeyRange range = KeyRange.of(type.storage(), namespace);
        for (Page page = first(range); !page.entries().isEmpty(); page = next(range, page)) {
            for (var failed : ConcurrentWrites.run(
                    "content-deletion",
                    page.entries(),
                    entry -> entry.value().length,
                    entry -> delete(type, entry, controller))) {
                if (failed.cause() instanceof StorageException unavailable) {
                    throw unavailable;
                }
                denied.accept(failed.refusal());
            }
        }
        return store.latest().count(range) == 0;
    }

    Page first(KeyRange range) throws StorageException {
        return store.latest().page(range, "", PAGE);
    }

    Page next(KeyRange range, Page page) throws StorageException {
        return page.remaining() == 0
                ? new Page(List.of(), 0)
                : store.latest().page(range, page.entries().getLast().key().path(), PAGE);
    }

    private void delete(ResourceType type, Entry entry, Requester controller) throws StatusException, StorageException {
        ObjectNode object = StoredForm.decode(entry.value(), 0);
        ObjectNode metadata = Json.child(object, "metadata");
        boolean held = !Finalizers.blocking(type.storage(), object).isEmpty();
        if (held && metadata.hasNonNull("deletionTimestamp")) {
            return;
        }
        check.admit(type, entry, controller);
        if (held) {
            metadata.put("deletionTimestamp", identity.now()).put("deletionGracePeriodSeconds", 0);
            Generations.beginDeletion(object);
            store.commit(Transaction.replace(entry, StoredForm.encode(object)).asDeletionStep());
        } else {
            store.commit(Transaction.delete(entry));
        }
    }
}
