package io.plat.apiserver.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.patch.Patch;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.review.status.StatusException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Updates objects: by a new state, or by a patch of whatever state there is. A patch goes the same way as an update once it has been
 * applied, so that whatever holds for the one holds for the other.
 */
final class Updater {
    private final ObjectStore store;
    private final Creator creator;
    private final Consumer<String> onGone;
    private final Contention contention = new Contention();

    /**
     * An updater.
     *
     * @param onGone told the namespace of an object that went with its last finalizer
     */
    Updater(ObjectStore store, Creator creator, Consumer<String> onGone) {
        this.store = store;
        this.creator = creator;
        this.onGone = onGone;
    }

    /** What a client wants an object to become, for whatever it is now. */
    private interface Proposal {
        Intake on(Entry seen, ObjectNode before) throws StatusException;
    }

    /**
     * Replaces an object, or a part of it.
     *
     * @param rules what holds for this part
     */
    Result.One update(Target target, TypeRules rules, Sent body, WriteOptions options, CreateCheck mayCreate)
            throws StatusException {
        Intake intake = Intake.of(target, body, options);
        checkName(target, intake);
        return write(target, seen -> {
            if (seen.isEmpty()) {
                requireCreatable(target, rules, intake);
                mayCreate.admit();
                return creator.tryCreate(target, intake, options);
            }
            Optional<Result.One> done = tryReplace(target, rules, seen.get(), options, (entry, before) -> {
                checkUid(target, intake, Json.text(before.path("metadata"), "uid"));
                return intake;
            });
            if (done.isEmpty() && !intake.claims().resourceVersion().isEmpty()) {
                throw Refusals.conflict(target.type(), target.name());
            }
            return done;
        });
    }

    /**
     * Patches an object, or a part of it.
     *
     * @param rules what holds for this part
     */
    Result.One patch(Target target, TypeRules rules, Patch patch, WriteOptions options) throws StatusException {
        Proposal proposal = (seen, before) -> {
            ObjectNode served = served(target.type(), before, seen.revision());
            Intake intake = Intake.ofPatched(target, patch.apply(served), patch.warnings(), options);
            checkName(target, intake);
            return intake;
        };
        return write(target, seen -> {
            Entry present = seen.orElseThrow(() -> Refusals.notFound(target.type(), target.name()));
            return tryReplace(target, rules, present, options, proposal);
        });
    }

    /** The object as the client sees it, which is what its patch is about. */
    private static ObjectNode served(ResourceType type, ObjectNode before, long revision) {
        ObjectNode served = Versions.serve(type, before.deepCopy());
        served.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        Json.child(served, "metadata").put("resourceVersion", Long.toString(revision));
        return served;
    }

    /** One try to write on what there is; empty if another write came first. */
    private interface Try {
        Optional<Result.One> on(Optional<Entry> seen) throws StatusException, StorageException;
    }

    private Result.One write(Target target, Try attempt) throws StatusException {
        Key key = Reader.key(target);
        try {
            return contention
                    .resolve(key, () -> attempt.on(store.latest().get(key)))
                    .orElseThrow(() -> Refusals.conflict(target.type(), target.name()));
        } catch (StorageException e) {
            throw Refusals.storage(e);
        }
    }

    private static void checkName(Target target, Intake intake) throws StatusException {
        String name = intake.name();
        if (name.isEmpty()) {
            throw Refusals.badRequest("name must be provided");
        }
        if (!name.equals(target.name())) {
            throw Refusals.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    private static void requireCreatable(Target target, TypeRules rules, Intake intake) throws StatusException {
        if (!rules.createsOnUpdate()) {
            throw Refusals.notFound(target.type(), target.name());
        }
        checkUid(target, intake, "");
        if (!intake.claims().resourceVersion().isEmpty()) {
            throw Refusals.conflict(target.type(), target.name());
        }
    }

    private static void checkUid(Target target, Intake intake, String actual) throws StatusException {
        String wanted = intake.claims().uid();
        if (!wanted.isEmpty() && !wanted.equals(actual)) {
            throw Refusals.conflict(target.type(), target.name(), Refusals.otherUid(wanted, actual));
        }
    }

    /** Replaces a state; empty if another write came first. */
    private Optional<Result.One> tryReplace(
            Target target, TypeRules rules, Entry seen, WriteOptions options, Proposal proposal)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        ObjectNode before = StoredForm.decode(seen.value(), 0);
        Intake intake = proposal.on(seen, before);
        checkState(target, seen, intake.claims());
        ObjectNode object = intake.object();
        carryOver(before, object);
        if (!rules.ofPart()) {
            Standards.fill(Versions.schema(type), object);
        }
        rules.prepare(object, before);
        if (!rules.ofPart()) {
            Generations.change(type.storage(), before, object);
        }
        RoleWrites.admit(options.roleCheck(), target, object, before);
        check(type, rules, intake, before);
        if (object.equals(before)) {
            return Optional.of(new Result.One(200, ServedObject.of(type, seen), intake.warnings()));
        }
        byte[] value = StoredForm.encodeWithinBounds(object);
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
            case Outcome.Refused refused -> Optional.empty();
        };
    }

    /** The state that the client means must be the one that is replaced. */
    private static void checkState(Target target, Entry seen, Claims claims) throws StatusException {
        String wanted = claims.resourceVersion();
        if (wanted.isEmpty() && !TypeRules.of(target.type()).updatesUnconditionally()) {
            throw Refusals.versionRequired(target.type(), target.name());
        }
        if (!wanted.isEmpty() && !wanted.equals(Long.toString(seen.revision()))) {
            throw Refusals.conflict(target.type(), target.name());
        }
    }

    /** What only the server says stays as it is. */
    private static void carryOver(ObjectNode before, ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        for (String field : Claims.SERVERS_OWN) {
            if (before.path("metadata").has(field)) {
                metadata.set(field, before.path("metadata").path(field));
            } else {
                metadata.remove(field);
            }
        }
    }

    private static void check(ResourceType type, TypeRules rules, Intake intake, ObjectNode before)
            throws StatusException {
        ObjectNode metadata = Json.child(intake.object(), "metadata");
        var causes = new Causes();
        MetadataRules.check(metadata, rules.names(), causes);
        MetadataRules.checkUpdate(before.path("metadata"), metadata, causes);
        intake.claims().check(before.path("metadata"), causes);
        if (rules.ofPart()) {
            rules.check(intake.object(), before, causes);
        } else {
            Creator.check(type, rules, intake.object(), before, causes);
        }
        if (!causes.isEmpty()) {
            throw Refusals.invalid(type, Json.text(metadata, "name"), causes.list());
        }
    }
}
