package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;

/** Deletes objects: at once, or once their finalizers are gone; namespaces once everything in them is. */
final class Deletion {
    private static final Set<String> UNDELETABLE = Set.of("default", "kube-system", "kube-public");

    private final ObjectStore store;
    private final Identities identities;
    private final Consumer<String> onTermination;

    /**
     * Deletions.
     *
     * @param onTermination told the name of a namespace that begins to go
     */
    Deletion(ObjectStore store, Identities identities, Consumer<String> onTermination) {
        this.store = store;
        this.identities = identities;
        this.onTermination = onTermination;
    }

    /** Whether an object waits for nothing any more before it goes. */
    static boolean complete(ObjectNode object) {
        return object.path("metadata").hasNonNull("deletionTimestamp")
                && object.path("metadata").path("finalizers").isEmpty()
                && object.path("spec").path("finalizers").isEmpty();
    }

    Result delete(Target target, DeleteOptions options) throws StatusException {
        boolean namespace = target.type().storage().equals(Home.NAMESPACES);
        if (namespace && UNDELETABLE.contains(target.name())) {
            throw Refusals.forbidden(target.type(), target.name(), "this namespace may not be deleted", List.of());
        }
        try {
            while (true) {
                Entry seen = store.latest()
                        .get(Reader.key(target))
                        .orElseThrow(() -> Refusals.notFound(target.type(), target.name()));
                Optional<Result> done = tryDelete(target, seen, options);
                if (done.isPresent()) {
                    if (namespace && !options.dryRun()) {
                        onTermination.accept(target.name());
                    }
                    return done.get();
                }
            }
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    private Optional<Result> tryDelete(Target target, Entry seen, DeleteOptions options)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        ObjectNode object = StoredForm.decode(seen.value(), 0);
        checkPreconditions(target, seen, object, options);
        if (isAwaited(type, object)) {
            if (object.path("metadata").hasNonNull("deletionTimestamp")) {
                return Optional.of(shown(type, seen));
            }
            mark(type, object);
            byte[] value = StoredForm.encode(object);
            if (options.dryRun()) {
                return Optional.of(new Result.One(
                        200, ServedObject.unwritten(type, seen.key(), value, seen.revision()), List.of()));
            }
            return switch (store.commit(Transaction.replace(seen, value))) {
                case Outcome.Committed committed ->
                    Optional.of(shown(type, committed.event().entry()));
                case Outcome.Refused refused -> Optional.empty();
            };
        }
        if (options.dryRun()) {
            return Optional.of(gone(type, object, seen));
        }
        return switch (store.commit(Transaction.delete(seen))) {
            case Outcome.Committed committed ->
                Optional.of(gone(type, object, committed.event().entry()));
            case Outcome.Refused refused -> Optional.empty();
        };
    }

    /** Whether something must happen before the object goes. */
    private static boolean isAwaited(ResourceType type, ObjectNode object) {
        return !object.path("metadata").path("finalizers").isEmpty()
                || (type.storage().equals(Home.NAMESPACES)
                        && !object.path("spec").path("finalizers").isEmpty());
    }

    private void mark(ResourceType type, ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("deletionTimestamp", identities.now());
        if (type.storage().equals(Home.NAMESPACES)) {
            Json.child(object, "status").put("phase", "Terminating");
        } else {
            metadata.put("deletionGracePeriodSeconds", 0);
        }
    }

    private static Result shown(ResourceType type, Entry entry) {
        return new Result.One(200, ServedObject.of(type, entry), List.of());
    }

    private static Result gone(ResourceType type, ObjectNode object, Entry last) {
        if (TypeRules.of(type).deletionShowsObject()) {
            return shown(type, last);
        }
        String name = Json.text(object.path("metadata"), "name");
        String uid = Json.text(object.path("metadata"), "uid");
        return new Result.Deleted(name, type.group(), type.resource(), uid);
    }

    private static void checkPreconditions(Target target, Entry seen, ObjectNode object, DeleteOptions options)
            throws StatusException {
        String uid = Json.text(object.path("metadata"), "uid");
        if (!options.uid().isEmpty() && !options.uid().equals(uid)) {
            throw Refusals.precondition(
                    target.type(),
                    target.name(),
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record (" + uid
                            + "). The object might have been deleted and then recreated");
        }
        String version = Long.toString(seen.revision());
        if (!options.resourceVersion().isEmpty() && !options.resourceVersion().equals(version)) {
            throw Refusals.precondition(
                    target.type(),
                    target.name(),
                    "the ResourceVersion in the precondition (" + options.resourceVersion()
                            + ") does not match the ResourceVersion in record (" + version
                            + "). The object might have been modified");
        }
    }

    /** Deletes every object of a list, each by itself; one that somebody else deleted meanwhile is passed over. */
    Result deleteAll(Target target, ServedList list, DeleteOptions options) throws StatusException {
        var deleted = new ArrayList<ServedObject>();
        for (ServedObject object : list.items()) {
            Target one = new Target(target.type(), object.namespace(), object.name());
            try {
                delete(one, options);
                deleted.add(object);
            } catch (StatusException e) {
                Status status = e.status();
                if (status.reason() != StatusReason.NOT_FOUND) {
                    throw e;
                }
            }
        }
        return new Result.Many(new ServedList(target.type(), list.revision(), "", OptionalLong.empty(), deleted));
    }
}
