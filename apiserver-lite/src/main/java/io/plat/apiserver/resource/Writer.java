package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates and updates objects. */
final class Writer {
    /** How often a generated name may already be taken. */
    private static final int NAME_TRIES = 8;

    private static final List<String> SERVERS_OWN =
            List.of("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation");

    private final ObjectStore store;
    private final Identities identities;
    private final Consumer<String> onGone;

    /**
     * A writer.
     *
     * @param onGone told the namespace of an object that went with its last finalizer
     */
    Writer(ObjectStore store, Identities identities, Consumer<String> onGone) {
        this.store = store;
        this.identities = identities;
        this.onGone = onGone;
    }

    Result.One create(Target target, ObjectNode body, WriteOptions options) throws StatusException {
        Intake intake = Intake.of(target, body, options);
        ObjectNode metadata = Json.child(intake.object(), "metadata");
        if (!Json.text(metadata, "resourceVersion").isEmpty()) {
            throw Refusals.badRequest("resourceVersion should not be set on objects to be created");
        }
        try {
            return create(target, intake, options);
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    private Result.One create(Target target, Intake intake, WriteOptions options)
            throws StatusException, StorageException {
        ObjectNode given = Json.child(intake.object(), "metadata");
        boolean generated = Json.text(given, "name").isEmpty()
                && !Json.text(given, "generateName").isEmpty();
        for (int attempt = 1; ; attempt++) {
            ObjectNode object = intake.object().deepCopy();
            ObjectNode metadata = Json.child(object, "metadata");
            if (generated) {
                metadata.put("name", identities.name(Json.text(given, "generateName")));
            }
            Target named = target.named(Json.text(metadata, "name"));
            Optional<Result.One> made = tryCreate(named, object, intake, options);
            if (made.isPresent()) {
                return made.get();
            }
            if (!generated) {
                throw Refusals.alreadyExists(target.type(), named.name(), "");
            }
            if (attempt == NAME_TRIES) {
                throw Refusals.alreadyExists(
                        target.type(),
                        named.name(),
                        ", the server was not able to generate a unique name for the object");
            }
        }
    }

    /** Creates an object once its namespace holds still; empty if the name is taken. */
    private Optional<Result.One> tryCreate(Target target, ObjectNode object, Intake intake, WriteOptions options)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        TypeRules rules = TypeRules.of(type);
        boolean ready = false;
        while (true) {
            Snapshot snapshot = store.latest();
            Home home = Home.of(target, target.name(), snapshot);
            Admission.create(target, object, snapshot);
            if (!ready) {
                begin(object);
                rules.prepare(object, null);
                check(type, rules, object, null);
                ready = true;
            }
            Key key = Reader.key(target);
            byte[] value = StoredForm.encode(object);
            if (options.dryRun()) {
                return snapshot.get(key).isPresent()
                        ? Optional.empty()
                        : Optional.of(
                                new Result.One(201, ServedObject.unwritten(type, key, value, 0), intake.warnings()));
            }
            switch (store.commit(home.holding(Transaction.create(key, value)))) {
                case Outcome.Committed committed -> {
                    return Optional.of(new Result.One(
                            201, ServedObject.of(type, committed.event().entry()), intake.warnings()));
                }
                case Outcome.Refused refused -> {
                    if (refused.expectation().key().equals(key)) {
                        return Optional.empty();
                    }
                }
            }
        }
    }

    /** What only the server says of a new object. */
    private void begin(ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.remove(SERVERS_OWN);
        metadata.remove("resourceVersion");
        metadata.put("uid", identities.uid());
        metadata.put("creationTimestamp", identities.now());
    }

    Result.One update(Target target, ObjectNode body, WriteOptions options) throws StatusException {
        Intake intake = Intake.of(target, body, options);
        checkName(target, Json.text(Json.child(intake.object(), "metadata"), "name"));
        try {
            while (true) {
                Optional<Entry> present = store.latest().get(Reader.key(target));
                Optional<Result.One> done = present.isPresent()
                        ? tryReplace(target, present.get(), intake, options)
                        : tryCreateByUpdate(target, intake, options);
                if (done.isPresent()) {
                    return done.get();
                }
            }
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    private static void checkName(Target target, String name) throws StatusException {
        if (name.isEmpty()) {
            throw Refusals.badRequest("name must be provided");
        }
        if (!name.equals(target.name())) {
            throw Refusals.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    private Optional<Result.One> tryCreateByUpdate(Target target, Intake intake, WriteOptions options)
            throws StatusException, StorageException {
        if (!TypeRules.of(target.type()).createsOnUpdate()) {
            throw Refusals.notFound(target.type(), target.name());
        }
        ObjectNode object = intake.object().deepCopy();
        ObjectNode metadata = Json.child(object, "metadata");
        checkUid(target, Json.text(metadata, "uid"), "");
        if (!Json.text(metadata, "resourceVersion").isEmpty()) {
            throw Refusals.conflict(target.type(), target.name());
        }
        return tryCreate(target, object, intake, options);
    }

    private static void checkUid(Target target, String wanted, String actual) throws StatusException {
        if (!wanted.isEmpty() && !wanted.equals(actual)) {
            throw Refusals.conflict(
                    target.type(),
                    target.name(),
                    "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + actual);
        }
    }

    /** Replaces a state; empty if another write came first and the client did not say which state it means. */
    private Optional<Result.One> tryReplace(Target target, Entry seen, Intake intake, WriteOptions options)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        TypeRules rules = TypeRules.of(type);
        ObjectNode before = StoredForm.decode(seen.value(), 0);
        ObjectNode object = intake.object().deepCopy();
        String wanted = checkState(target, seen, before, object);
        carryOver(before, object);
        rules.prepare(object, before);
        check(type, rules, object, before);
        removeKind(object);
        if (object.equals(before)) {
            return Optional.of(new Result.One(200, ServedObject.of(type, seen), intake.warnings()));
        }
        byte[] value = StoredForm.encode(object);
        if (options.dryRun()) {
            return Optional.of(new Result.One(
                    200, ServedObject.unwritten(type, seen.key(), value, seen.revision()), intake.warnings()));
        }
        boolean last = Deletion.complete(object);
        Transaction transaction = last ? Transaction.delete(seen) : Transaction.replace(seen, value);
        return switch (store.commit(transaction)) {
            case Outcome.Committed committed -> {
                if (last) {
                    onGone.accept(target.namespace());
                }
                long revision = committed.event().revision();
                yield Optional.of(new Result.One(
                        200, ServedObject.unwritten(type, seen.key(), value, revision), intake.warnings()));
            }
            case Outcome.Refused refused -> {
                if (!wanted.isEmpty()) {
                    throw Refusals.conflict(type, target.name());
                }
                yield Optional.empty();
            }
        };
    }

    /** The state that the client means to replace, {@code ""} for any. */
    private static String checkState(Target target, Entry seen, ObjectNode before, ObjectNode object)
            throws StatusException {
        ObjectNode metadata = Json.child(object, "metadata");
        checkUid(target, Json.text(metadata, "uid"), Json.text(before.path("metadata"), "uid"));
        String wanted = Json.text(metadata, "resourceVersion");
        metadata.remove("resourceVersion");
        if (wanted.isEmpty() && !TypeRules.of(target.type()).updatesUnconditionally()) {
            var causes = new Causes();
            causes.invalidLiteral("metadata.resourceVersion", "0x0", "must be specified for an update");
            throw Refusals.invalid(target.type(), target.name(), causes.list());
        }
        if (!wanted.isEmpty() && !wanted.equals(Long.toString(seen.revision()))) {
            throw Refusals.conflict(target.type(), target.name());
        }
        return wanted;
    }

    /** What only the server says stays as it is. */
    private static void carryOver(ObjectNode before, ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        for (String field : SERVERS_OWN) {
            if (before.path("metadata").has(field)) {
                metadata.set(field, before.path("metadata").path(field));
            } else {
                metadata.remove(field);
            }
        }
    }

    private static void removeKind(ObjectNode object) {
        object.remove(List.of("kind", "apiVersion"));
    }

    private static void check(ResourceType type, TypeRules rules, ObjectNode object, @Nullable ObjectNode before)
            throws StatusException {
        var causes = new Causes();
        ObjectNode metadata = Json.child(object, "metadata");
        MetadataRules.check(metadata, rules.names(), causes);
        if (before != null) {
            MetadataRules.checkUpdate(before.path("metadata"), metadata, causes);
        }
        rules.check(object, before, causes);
        if (!causes.isEmpty()) {
            throw Refusals.invalid(type, Json.text(metadata, "name"), causes.list());
        }
    }
}
