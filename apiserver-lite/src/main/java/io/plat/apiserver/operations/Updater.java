package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.apply.LastApplied;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.metadata.MetadataRules;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metadata.ServerManagedFields;
import io.plat.apiserver.objects.Allocation;
import io.plat.apiserver.objects.LimitRanges;
import io.plat.apiserver.objects.ServiceAllocation;
import io.plat.apiserver.objects.TypeRules;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.Patch;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.schema.Defaulting;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Shape;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Updates objects by a new state or by a patch. An applied patch is processed like an update, so the same rules apply to both.
 *
 * @param onGone notified of the namespace of an object that was removed with its last finalizer
 */
record Updater(
        ObjectStore store,
        Creator creator,
        ObjectIdentity identity,
        ServiceAllocation services,
        Consumer<String> onGone,
        AdmissionCheck admission,
        Contention contention) {
    /** Server-managed metadata that is set only at the end of a write. */
    private static final List<String> SERVER_MANAGED = Stream.concat(
                    ServerManagedFields.NAMES.stream(), Stream.of(Ownership.FIELD))
            .toList();

    /** Maximum number of copies of a stored object during an update: as served, as changed, and for field ownership. */
    private static final int COPIES = 3;

    interface PatchSource {
        Patch read() throws StatusException;
    }

    /** Computes the requested state from the current one. */
    interface Proposal {
        ProposedState on(Entry current, ObjectNode before) throws StatusException;
    }

    /**
     * Requested state.
     *
     * @param owners its field owners; null if its writer owns the changed fields
     */
    record ProposedState(DecodedObject decoded, @Nullable ArrayNode owners) {
        ProposedState(DecodedObject decoded) {
            this(decoded, null);
        }
    }

    /**
     * Target of a write.
     *
     * @param part subresource; {@code ""} for the object
     */
    record WriteTarget(Target target, String part, TypeRules rules) {
        static WriteTarget whole(Target target) {
            return new WriteTarget(target, "", TypeRules.of(target.type()));
        }

        static WriteTarget part(Target target, ResourceType.Subresource part) {
            return new WriteTarget(target, part.name(), TypeRules.of(target.type(), part));
        }
    }

    Result.One update(WriteTarget written, ParsedObject body, WriteOptions options, WriteCheck mayCreate)
            throws StatusException {
        Target target = written.target();
        DecodedObject decoded = DecodedObject.of(target, body, options);
        checkName(target, decoded.name());
        return write(target, (current, snapshot) -> {
            if (current.isEmpty()) {
                requireCreatable(target, written.rules(), decoded);
                return creator.tryCreate(
                        target, decoded, options.checking(options.check().after(mayCreate)), null);
            }
            Optional<Result.One> result = tryReplace(written, current.get(), snapshot, options, (entry, before) -> {
                checkUid(target, decoded, Json.text(before.path("metadata"), "uid"));
                return new ProposedState(decoded);
            });
            if (result.isEmpty() && !decoded.claims().resourceVersion().isEmpty()) {
                throw ApiErrors.conflict(target.type(), target.name());
            }
            return result;
        });
    }

    /** Patches an object, or a subresource; an absent object is reported before a malformed patch. */
    Result.One patch(WriteTarget written, PatchSource source, WriteOptions options) throws StatusException {
        Target target = written.target();
        Proposal proposal = (current, before) -> {
            Patch patch = source.read();
            ObjectNode served = served(target.type(), before, current.revision());
            DecodedObject decoded = DecodedObject.ofPatched(target, patch.apply(served), patch, options);
            checkName(target, decoded.name());
            return new ProposedState(decoded);
        };
        return replace(written, options, proposal);
    }

    /** Replaces an existing object, with retries after conflicts. */
    Result.One replace(WriteTarget written, WriteOptions options, Proposal proposal) throws StatusException {
        Target target = written.target();
        return write(target, (current, snapshot) -> {
            Entry present = current.orElseThrow(() -> ApiErrors.notFound(target.type(), target.name()));
            return tryReplace(written, present, snapshot, options, proposal);
        });
    }

    /**
     * Applies a configuration to an object or a subresource; creates the object if absent.
     *
     * @param mayCreate called before an object is created
     */
    Result.One apply(WriteTarget written, ParsedObject body, WriteOptions options, WriteCheck mayCreate)
            throws StatusException {
        Target target = written.target();
        if (!written.part().isEmpty()) {
            // An absent object is reported before anything about the body.
            var _ = Reader.entry(target, RequestStore.run(store::latest));
        }
        DecodedObject config = DecodedObject.ofApplied(target, body, options);
        return write(target, (current, snapshot) -> {
            if (current.isEmpty()) {
                requireAppliedCreatable(written, config);
                ProposedState created = applied(written, config, options, Json.object());
                return creator.tryCreate(
                        target,
                        created.decoded(),
                        options.checking(options.check().after(mayCreate)),
                        created.owners());
            }
            if (!config.name().isEmpty()) {
                checkName(target, config.name());
            }
            return tryReplace(written, current.get(), snapshot, options, (entry, before) -> {
                ProposedState changed = applied(written, config, options, before);
                // A configuration is applied to any state.
                return new ProposedState(changed.decoded().on(entry.revision()), changed.owners());
            });
        });
    }

    /** Applies a configuration to a state, which is not modified. */
    private ProposedState applied(WriteTarget written, DecodedObject config, WriteOptions options, ObjectNode before)
            throws StatusException {
        Target target = written.target();
        ResourceType type = target.type();
        Ownership ownership = ManagedFieldsUpdate.of(target, written.part(), options, identity);
        ObjectNode sent = config.object().deepCopy();
        Ownership.Outcome.Applied applied =
                ManagedFieldsUpdate.applied(ownership.apply(before, sent, Ownership.of(before), options.force()));
        MetadataRules.checkManagers(target, applied.owners().size());
        ObjectNode object = (ObjectNode) applied.object();
        if (type.form() == null) {
            Shape.apply(type, ObjectConversion.schema(type), object);
        }
        if (options.manager().equals(LastApplied.KUBECTL) && written.part().isEmpty()) {
            ObjectNode served =
                    Json.object().put("apiVersion", type.apiVersion()).put("kind", type.kind());
            LastApplied.update(object, served.setAll(ObjectConversion.serve(type, sent)));
        }
        return new ProposedState(config.with(object), applied.owners());
    }

    private static void requireAppliedCreatable(WriteTarget written, DecodedObject config) throws StatusException {
        Target target = written.target();
        if (!written.part().isEmpty()) {
            throw ApiErrors.notFound(target.type(), target.name());
        }
        String uid = config.claims().uid();
        if (!uid.isEmpty()) {
            throw ApiErrors.conflict(
                    target.type(),
                    target.name(),
                    "uid mismatch: the provided object specified uid " + uid + ", and no existing object was found");
        }
        if (!config.name().isEmpty()) {
            checkName(target, config.name());
        }
        if (!config.claims().resourceVersion().isEmpty()) {
            throw ApiErrors.conflict(target.type(), target.name());
        }
        checkName(target, config.name());
    }

    private static ObjectNode served(ResourceType type, ObjectNode before, long revision) {
        ObjectNode served = ObjectConversion.serve(type, before.deepCopy());
        served.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        Json.child(served, "metadata").put("resourceVersion", Long.toString(revision));
        return served;
    }

    /** Attempt to write on top of a state; empty after a conflict. */
    private interface Attempt {
        Optional<Result.One> on(Optional<Entry> current, Snapshot snapshot) throws StatusException, StorageException;
    }

    private Result.One write(Target target, Attempt attempt) throws StatusException {
        Key key = target.key();
        return contention
                .resolve(key, () -> {
                    Snapshot snapshot = store.latest();
                    return attempt.on(snapshot.get(key), snapshot);
                })
                .orElseThrow(() -> ApiErrors.conflict(target.type(), target.name()));
    }

    static void checkName(Target target, String name) throws StatusException {
        if (name.isEmpty()) {
            throw ApiErrors.badRequest("the name of the object (" + target.name()
                    + " based on URL) was undeterminable: name must be provided");
        }
        if (!name.equals(target.name())) {
            throw ApiErrors.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + target.name() + ")");
        }
    }

    private static void requireCreatable(Target target, TypeRules rules, DecodedObject decoded) throws StatusException {
        if (rules.ofPart() || !TypeTraits.of(target.type()).allowCreateOnUpdate()) {
            throw ApiErrors.notFound(target.type(), target.name());
        }
        checkUid(target, decoded, "");
        if (!decoded.claims().resourceVersion().isEmpty()) {
            throw ApiErrors.conflict(target.type(), target.name());
        }
    }

    static void checkUid(Target target, DecodedObject decoded, String actual) throws StatusException {
        String desired = decoded.claims().uid();
        if (!desired.isEmpty() && !desired.equals(actual)) {
            throw ApiErrors.otherUid(target, desired, actual);
        }
    }

    /** Tries to replace a state; empty after a conflict. */
    private Optional<Result.One> tryReplace(
            WriteTarget written, Entry current, Snapshot snapshot, WriteOptions options, Proposal proposal)
            throws StatusException, StorageException {
        Target target = written.target();
        TypeRules rules = written.rules();
        ResourceType type = target.type();
        ObjectNode before = StoredForm.decodeCharged(current.value(), COPIES);
        ProposedState proposed = proposal.on(current, before);
        DecodedObject decoded = proposed.decoded();
        checkState(target, current, decoded.claims());
        ObjectNode next = decoded.object();
        restoreServerManaged(before, next);
        rules.complete(next, before);
        if (!rules.ofPart()) {
            Shape.fill(type, next);
            Defaulting.apply(ObjectConversion.schema(type), next);
        }
        // As in Kubernetes, what was sent determines the owners, not what is left of it.
        DecodedObject sent = rules.ofPart() ? decoded.with(next.deepCopy()) : decoded;
        rules.prepare(next, before);
        Ownership ownership = ManagedFieldsUpdate.of(target, written.part(), options, identity);
        ManagedFieldsUpdate.write(type, ownership, before, sent, next, proposed.owners());
        rules.generate(next, before);
        if (!rules.ofPart()) {
            Generations.change(type.storage(), before, next);
        }
        options.check().admit(target, written.part(), next, before);
        check(type, rules, decoded, before, options);
        LimitRanges.check(target, written.part(), next, before, snapshot);
        if (!rules.ofPart() && !options.dryRun() && !generation(next).equals(generation(before))) {
            admission.report(type, next, snapshot);
        }
        Allocation allocation = rules.ofPart()
                ? Allocation.none(target, next)
                : services.allocate(target, next, before, options.dryRun());
        ObjectNode object = allocation.object();
        byte[] value = allocation.orRelease(() -> {
            admit(written, object, before, options, snapshot);
            byte[] encoded = object.equals(before) ? current.value() : StoredForm.encodeWithinBounds(object);
            requirePermission(options, target, written.part(), object, before);
            return encoded;
        });
        if (value == current.value()) {
            return Optional.of(new Result.One(200, ServedObject.of(type, current), decoded.warnings()));
        }
        if (options.dryRun()) {
            return Optional.of(new Result.One(
                    200, ServedObject.unwritten(type, current.key(), value, current.revision()), decoded.warnings()));
        }
        boolean last = DeleteOperation.complete(target.type().storage(), object);
        boolean ending = before.path("metadata").hasNonNull("deletionTimestamp");
        Transaction replacement = Transaction.replace(current, value);
        Transaction transaction = last
                ? Transaction.delete(current)
                : allocation.conditional(ending ? replacement.asDeletionStep() : replacement);
        return switch (store.commit(transaction)) {
            case Outcome.Committed committed -> {
                if (last) {
                    onGone.accept(target.namespace());
                }
                long revision = committed.event().revision();
                yield Optional.of(new Result.One(
                        200, ServedObject.unwritten(type, current.key(), value, revision), decoded.warnings()));
            }
            case Outcome.Refused refused -> {
                allocation.release();
                yield Optional.empty();
            }
        };
    }

    /** Requires, as the last step before a write, that its user still has the permissions that were checked before. */
    static void requirePermission(
            WriteOptions options, Target target, String part, ObjectNode after, @Nullable ObjectNode before)
            throws StatusException {
        Requester requester = options.requester();
        if (requester != null) {
            requester.requirePermission();
        }
        options.check().renew(target, part, after, before);
    }

    private static JsonNode generation(ObjectNode object) {
        return object.path("metadata").path("generation");
    }

    private void admit(
            WriteTarget written, ObjectNode object, ObjectNode before, WriteOptions options, Snapshot snapshot)
            throws StatusException {
        Requester requester = options.requester();
        // A binding is admitted in the form that was sent.
        if (requester == null || written.part().equals(PodOperations.BINDING) || !admission.applies(snapshot)) {
            return;
        }
        Target target = written.target();
        boolean scale = written.part().equals(ScaleOperations.PART);
        admission.admit(
                AdmissionRequest.of(
                        AdmissionRequest.Operation.UPDATE,
                        target,
                        written.part(),
                        scale ? ScaleOperations.of(target.type(), object) : object,
                        scale ? ScaleOperations.of(target.type(), before) : before,
                        options.dryRun(),
                        requester),
                snapshot);
    }

    /**
     * Admits, by the newest policies, a request that does not write an object itself. It has its effect next, so its permission is required again.
     */
    void admit(AdmissionRequest request) throws StatusException {
        Snapshot snapshot = RequestStore.run(store::latest);
        if (admission.applies(snapshot)) {
            admission.admit(request, snapshot);
        }
        request.requester().requirePermission();
    }

    private static void checkState(Target target, Entry current, ServerManagedFields sent) throws StatusException {
        String desired = sent.resourceVersion();
        if (desired.isEmpty() && TypeTraits.of(target.type()).versionRequired()) {
            throw ApiErrors.versionRequired(target.type(), target.name());
        }
        if (!desired.isEmpty() && !desired.equals(Long.toString(current.revision()))) {
            throw ApiErrors.conflict(target.type(), target.name());
        }
    }

    private static void restoreServerManaged(ObjectNode before, ObjectNode object) {
        ObjectNode metadata = Json.child(object, "metadata");
        for (String field : SERVER_MANAGED) {
            if (before.path("metadata").has(field)) {
                metadata.set(field, before.path("metadata").path(field));
            } else {
                metadata.remove(field);
            }
        }
    }

    private void check(
            ResourceType type, TypeRules rules, DecodedObject decoded, ObjectNode before, WriteOptions options)
            throws StatusException {
        ObjectNode metadata = Json.child(decoded.object(), "metadata");
        ApiErrors.requireValid(type, Json.text(metadata, "name"), causes -> {
            MetadataRules.check(metadata, TypeTraits.of(type), false, causes);
            MetadataRules.checkUpdate(before.path("metadata"), metadata, TypeTraits.of(type), rules.ofPart(), causes);
            // As often as kube-apiserver, which reports each cause twice for most types.
            for (int i = TypeTraits.of(type).immutableOnce() ? 1 : 0; i < 2; i++) {
                decoded.claims().check(before.path("metadata"), causes);
            }
            if (rules.ofPart()) {
                rules.check(decoded.object(), before, causes);
            } else {
                creator.check(type, rules, decoded.object(), before, causes);
            }
        });
        options.warn(Rules.warnings(rules.definition(), decoded.object(), before));
        options.warn(MetadataRules.finalizerWarnings(type, before.path("metadata"), metadata));
    }
}
