package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.NamespaceController;
import io.plat.apiserver.objects.NamespaceRules;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.DeleteOptions.Propagation;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.ConcurrentWrites;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.engine.lookup.Frozen;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Deletes objects: immediately, or once their finalizers are removed; namespaces once they are empty.
 *
 * @param namespaces notified of a namespace that starts terminating, or in which something that it waits for was removed
 */
record DeleteOperation(
        ObjectStore store,
        ObjectIdentity identity,
        Consumer<String> namespaces,
        AdmissionCheck admission,
        Contention contention) {
    private static final Set<String> UNDELETABLE = Set.of("default", "kube-system", "kube-public");

    /** Returns whether nothing holds a deleted object any more. */
    static boolean complete(String storage, ObjectNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp")
                && Finalizers.blocking(storage, object).isEmpty()
                && object.path("spec").path("finalizers").isEmpty();
    }

    /**
     * Deletes an object.
     *
     * @param requester the user, for admission; null for the server itself
     */
    Result delete(Target target, DeleteOptions options, @Nullable Requester requester) throws StatusException {
        boolean namespace = target.type().storage().equals(ResourceCatalog.NAMESPACES);
        Optional<Result> done = contention.resolve(target.key(), () -> {
            Snapshot snapshot = store.latest();
            Entry current = Reader.entry(target, snapshot);
            if (namespace && UNDELETABLE.contains(target.name())) {
                checkPreconditions(target, current, StoredForm.decode(current.value(), 0), options);
                throw ApiErrors.forbidden(target, "this namespace may not be deleted");
            }
            admit(target, current, options, snapshot, requester);
            return tryDelete(target, current, options);
        });
        if (done.isPresent() && namespace && !options.dryRun()) {
            namespaces.accept(target.name());
        }
        return done.orElseThrow(() -> ApiErrors.conflict(target.type(), target.name()));
    }

    /**
     * Admits a deletion in advance, before a step that must not be taken if the deletion is denied. The deletion itself is admitted again.
     */
    void admit(Target target, DeleteOptions options, @Nullable Requester requester) throws StatusException {
        Snapshot snapshot = RequestStore.run(store::latest);
        admit(target, Reader.entry(target, snapshot), options, snapshot, requester);
    }

    private void admit(
            Target target, Entry current, DeleteOptions options, Snapshot snapshot, @Nullable Requester requester)
            throws StatusException {
        if (requester != null) {
            if (admission.applies(snapshot)) {
                checkPreconditions(target, current, StoredForm.decode(current.value(), 0), options);
                admit(admission, target, current, options.dryRun(), snapshot, requester);
            }
            requester.requirePermission();
        }
    }

    /** Admits the deletion of a stored object, if there are policies. */
    static void admit(
            AdmissionCheck admission,
            Target target,
            Entry current,
            boolean dryRun,
            Snapshot snapshot,
            Requester requester)
            throws StatusException {
        if (admission.applies(snapshot)) {
            admission.admit(
                    AdmissionRequest.of(
                            AdmissionRequest.Operation.DELETE,
                            target,
                            "",
                            null,
                            StoredForm.decode(current.value(), current.revision()),
                            dryRun,
                            requester),
                    snapshot);
        }
    }

    /**
     * Changes the metadata of an object for the server itself, and deletes the object if its last finalizer is removed. Nothing else is
     * validated again: an object that its type no longer accepts must neither stay nor hold up its owner.
     *
     * @throws StatusException 404 and 409 if the object is not in that state
     */
    void edit(Target target, long revision, Consumer<ObjectNode> change) throws StatusException {
        Entry current = Reader.entry(target, RequestStore.run(store::latest));
        ObjectNode object = StoredForm.decode(current.value(), 0);
        change.accept(Json.child(object, "metadata"));
        boolean last = complete(target.type().storage(), object);
        Transaction transaction = last
                ? Transaction.delete(current)
                : Transaction.replace(current, StoredForm.encode(object)).asDeletionStep();
        if (current.revision() != revision
                || !(RequestStore.run(() -> store.commit(transaction)) instanceof Outcome.Committed)) {
            throw ApiErrors.conflict(target.type(), target.name());
        }
        if (last) {
            namespaces.accept(target.namespace());
        }
    }

    private Optional<Result> tryDelete(Target target, Entry current, DeleteOptions options)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        ObjectNode object = StoredForm.decode(current.value(), 0);
        checkPreconditions(target, current, object, options);
        boolean started = object.path("metadata").hasNonNull("deletionTimestamp");
        boolean changed = setFinalizers(type, object, options);
        if (type.form() != null) {
            changed |= type.form().beginDeletion(object, identity.now());
        }
        // A namespace is emptied first.
        if (!type.storage().equals(ResourceCatalog.NAMESPACES)
                && Finalizers.blocking(type.storage(), object).isEmpty()) {
            Optional<Result> gone = deleteNow(type, object, current, options);
            if (gone.isPresent() && !options.dryRun() && (started || isAccount(current.key()))) {
                namespaces.accept(target.namespace());
            }
            return gone;
        }
        int code = options.propagation() == Propagation.NOT_ORPHANED ? 202 : 200;
        if (started && !changed) {
            return Optional.of(new Result.One(code, ServedObject.of(type, current), List.of()));
        }
        mark(type, object);
        byte[] value = StoredForm.encode(object);
        if (options.dryRun()) {
            return Optional.of(new Result.One(
                    code, ServedObject.unwritten(type, current.key(), value, current.revision()), List.of()));
        }
        return switch (store.commit(Transaction.replace(current, value).asDeletionStep())) {
            case Outcome.Committed committed ->
                Optional.of(new Result.One(
                        code, ServedObject.of(type, committed.event().entry()), List.of()));
            case Outcome.Refused refused -> Optional.empty();
        };
    }

    /** Returns whether this is a default service account, which is always recreated. */
    private static boolean isAccount(Key key) {
        return key.resource().equals("serviceaccounts") && key.name().equals(NamespaceController.ACCOUNT);
    }

    private Optional<Result> deleteNow(ResourceType type, ObjectNode object, Entry current, DeleteOptions options)
            throws StorageException {
        if (options.dryRun()) {
            return Optional.of(deleted(type, object, current));
        }
        return switch (store.commit(Transaction.delete(current))) {
            case Outcome.Committed committed ->
                Optional.of(deleted(type, object, committed.event().entry()));
            case Outcome.Refused refused -> Optional.empty();
        };
    }

    private static boolean setFinalizers(ResourceType type, ObjectNode object, DeleteOptions options) {
        ObjectNode metadata = Json.child(object, "metadata");
        List<String> before = Json.texts(metadata.path("finalizers"));
        List<String> after = Finalizers.onDeletion(
                before, propagation(type, object, options), TypeTraits.of(type).dependents());
        if (Frozen.copyOf(before).equals(Frozen.copyOf(after))) {
            return false;
        }
        Json.putTexts(metadata, "finalizers", after);
        return true;
    }

    /**
     * Returns the propagation; it is ignored for a terminating namespace, and the deprecated option has a different meaning for
     * namespaces.
     */
    private static Propagation propagation(ResourceType type, ObjectNode object, DeleteOptions options) {
        if (!type.storage().equals(ResourceCatalog.NAMESPACES)) {
            return options.propagation();
        }
        if (object.path("metadata").hasNonNull("deletionTimestamp")) {
            return Propagation.UNSPECIFIED;
        }
        return options.propagation() == Propagation.NOT_ORPHANED ? Propagation.FOREGROUND : options.propagation();
    }

    private void mark(ResourceType type, ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        if (metadata.hasNonNull("deletionTimestamp")) {
            return;
        }
        metadata.put("deletionTimestamp", identity.now());
        if (type.storage().equals(ResourceCatalog.DEFINITIONS)) {
            return;
        }
        Generations.beginDeletion(object);
        if (type.storage().equals(ResourceCatalog.NAMESPACES)) {
            NamespaceRules.terminate(object);
        } else {
            metadata.put("deletionGracePeriodSeconds", 0);
        }
    }

    private Result deleted(ResourceType type, ObjectNode object, Entry last) {
        TypeTraits traits = TypeTraits.of(type);
        if (traits.graceful()) {
            mark(type, object);
            byte[] value = StoredForm.encode(object);
            return new Result.One(200, ServedObject.unwritten(type, last.key(), value, last.revision()), List.of());
        }
        if (traits.returnDeletedObject()) {
            return new Result.One(200, ServedObject.of(type, last), List.of());
        }
        String name = Json.text(object.path("metadata"), "name");
        String uid = Json.text(object.path("metadata"), "uid");
        return new Result.Deleted(name, type.group(), type.resource(), uid);
    }

    private static void checkPreconditions(Target target, Entry current, ObjectNode object, DeleteOptions options)
            throws StatusException {
        String uid = Json.text(object.path("metadata"), "uid");
        if (options.uid() != null && !options.uid().equals(uid)) {
            throw ApiErrors.otherState(target, "UID", options.uid(), uid, "deleted and then recreated");
        }
        String version = Long.toString(current.revision());
        if (options.resourceVersion() != null && !options.resourceVersion().equals(version)) {
            throw ApiErrors.otherState(target, "ResourceVersion", options.resourceVersion(), version, "modified");
        }
    }

    /** Deletes the objects of a list one by one; objects that were deleted meanwhile are skipped. */
    Result deleteAll(Target target, ServedList list, DeleteOptions options, Requester requester)
            throws StatusException {
        RequestMemory.current().endTurn();
        for (var failed : ConcurrentWrites.run(
                "deletion",
                list.items(),
                ServedObject::storedSize,
                object -> delete(new Target(target.type(), object.namespace(), object.name()), options, requester))) {
            if (failed.refusal().status().reason() != StatusReason.NOT_FOUND) {
                throw failed.refusal();
            }
        }
        return new Result.Many(list);
    }
}
