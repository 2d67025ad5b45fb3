package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.apply.Ownership;
import io.plat.apiserver.conversion.ObjectConversion;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.metadata.MetadataRules;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.metadata.ServerManagedFields;
import io.plat.apiserver.objects.AdmissionPlugins;
import io.plat.apiserver.objects.Allocation;
import io.plat.apiserver.objects.ApprovalRules;
import io.plat.apiserver.objects.LimitRanges;
import io.plat.apiserver.objects.NamespaceRules;
import io.plat.apiserver.objects.ServiceAllocation;
import io.plat.apiserver.objects.TypeRules;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.rules.Causes;
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
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.SchemaCheck;
import io.plat.apiserver.type.Shape;
import io.plat.apiserver.type.Target;
import io.plat.apiserver.type.TypeTraits;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creation of objects. */
record Creator(
        ObjectStore store,
        ObjectIdentity identity,
        ServiceAllocation services,
        ExpressionCheck expressions,
        AdmissionCheck admission) {
    /** Maximum number of attempts to generate an unused name. */
    private static final int MAX_NAME_ATTEMPTS = 8;

    /** Versions that kube-apiserver refuses; it ignores others. */
    private static final Pattern VERSION = Pattern.compile("0*[1-9][0-9]*");

    Result.One create(Target target, ParsedObject body, WriteOptions options) throws StatusException {
        DecodedObject decoded = DecodedObject.of(target, body, options);
        // Storage checks this in Kubernetes, and a dry run does not reach it.
        if (!options.dryRun()
                && VERSION.matcher(decoded.claims().resourceVersion()).matches()) {
            throw ApiErrors.badRequest("resourceVersion should not be set on objects to be created");
        }
        return RequestStore.run(() -> create(target, decoded, options));
    }

    private Result.One create(Target target, DecodedObject decoded, WriteOptions options)
            throws StatusException, StorageException {
        ObjectNode metadata = Json.child(decoded.object(), "metadata");
        String base = decoded.name().isEmpty() ? Json.text(metadata, "generateName") : "";
        for (int attempt = 1; ; attempt++) {
            if (!base.isEmpty()) {
                metadata.put("name", identity.name(base));
            }
            Target named = target.named(decoded.name());
            Optional<Result.One> created = tryCreate(named, decoded, options, null);
            if (created.isPresent()) {
                return created.get();
            }
            if (base.isEmpty()) {
                throw ApiErrors.alreadyExists(target.type(), named.name(), "");
            }
            if (attempt == MAX_NAME_ATTEMPTS) {
                throw ApiErrors.alreadyExists(
                        target.type(),
                        named.name(),
                        ", the server was not able to generate a unique name for the object");
            }
        }
    }

    /**
     * Tries to create an object in an existing namespace; empty if the name is taken.
     *
     * @param owners its field owners; null if its writer owns all fields
     */
    Optional<Result.One> tryCreate(
            Target target, DecodedObject decoded, WriteOptions options, @Nullable ArrayNode owners)
            throws StatusException, StorageException {
        ResourceType type = target.type();
        ObjectNode object = decoded.object();
        byte[] encoded = {};
        for (int attempt = 0; attempt < Contention.MAX_ATTEMPTS; attempt++) {
            Snapshot snapshot = store.latest();
            Optional<Entry> namespace = namespace(target, snapshot);
            AdmissionPlugins.validate(target, object, snapshot);
            options.check().admit(target, "", object, null);
            if (encoded.length == 0) {
                ApprovalRules.attribute(type, object, options.author());
                begin(type, object, decoded.claims());
                Ownership ownership = ManagedFieldsUpdate.of(target, "", options, identity);
                ManagedFieldsUpdate.write(type, ownership, MissingNode.getInstance(), decoded, object, owners);
                LimitRanges.setDefaults(target, object, snapshot);
                complete(type, object, options);
                if (!options.dryRun()) {
                    admission.report(type, object, snapshot);
                }
                AdmissionPlugins.mutate(target, object, snapshot, identity);
                LimitRanges.check(target, "", object, null, snapshot);
                encoded = StoredForm.encodeWithinBounds(object);
            }
            Key key = target.key();
            Allocation allocation = services.allocate(target, object, null, options.dryRun());
            byte[] value = admit(target, allocation, encoded, options, snapshot);
            if (options.dryRun()) {
                ServedObject made = ServedObject.unwritten(type, key, value, 0);
                boolean exists = snapshot.get(key).isPresent();
                return exists ? Optional.empty() : Optional.of(new Result.One(201, made, decoded.warnings()));
            }
            Transaction creation = Transaction.create(key, value);
            switch (store.commit(
                    allocation.conditional(namespace.map(creation::expecting).orElse(creation)))) {
                case Outcome.Committed committed -> {
                    return Optional.of(new Result.One(
                            201, ServedObject.of(type, committed.event().entry()), decoded.warnings()));
                }
                case Outcome.Refused refused -> {
                    allocation.release();
                    if (refused.expectation().key().equals(key)) {
                        return Optional.empty();
                    }
                }
            }
        }
        throw ApiErrors.conflict(type, target.name());
    }

    /**
     * Returns the namespace of a new object; empty without one. Every creation is conditional on the namespace being unchanged, so that
     * nothing is created in one that has begun terminating.
     *
     * @throws StatusException 404 or 403 if the namespace is absent or terminating
     */
    private static Optional<Entry> namespace(Target target, Snapshot snapshot) throws StatusException {
        if (!target.type().namespaced()) {
            return Optional.empty();
        }
        String name = target.namespace();
        Entry namespace = snapshot.find(ResourceCatalog.NAMESPACES, "", name)
                .orElseThrow(() -> ApiErrors.namespaceNotFound(name));
        if (NamespaceRules.terminating(namespace.value())) {
            var cause = new Status.Cause(
                    "NamespaceTerminating", "namespace " + name + " is being terminated", "metadata.namespace");
            throw ApiErrors.forbidden(
                    target.type(),
                    target.name(),
                    "unable to create new content in namespace " + name + " because it is being terminated",
                    List.of(cause));
        }
        return Optional.of(namespace);
    }

    /**
     * Returns the stored bytes of the admitted object; releases its items if it is refused.
     *
     * @param encoded its bytes before the allocation
     */
    private byte[] admit(Target target, Allocation allocation, byte[] encoded, WriteOptions options, Snapshot snapshot)
            throws StatusException, StorageException {
        Requester requester = options.requester();
        return allocation.orRelease(() -> {
            if (requester != null && admission.applies(snapshot)) {
                admission.admit(
                        AdmissionRequest.of(
                                AdmissionRequest.Operation.CREATE,
                                target,
                                "",
                                allocation.object(),
                                null,
                                options.dryRun(),
                                requester),
                        snapshot);
            }
            byte[] value = allocation.changes() ? StoredForm.encodeWithinBounds(allocation.object()) : encoded;
            Updater.requirePermission(options, target, "", allocation.object(), null);
            return value;
        });
    }

    private void begin(ResourceType type, ObjectNode object, ServerManagedFields sent) {
        Json.child(object, "metadata").put("uid", identity.uid()).put("creationTimestamp", identity.now());
        Shape.fill(type, object);
        Defaulting.apply(ObjectConversion.schema(type), object);
        TypeRules.of(type).prepare(object, null);
        // A generation marks entries of custom types among those of role objects.
        JsonNode generation = type.identity().guarded() ? MissingNode.getInstance() : sent.generation();
        Generations.initialize(type.storage(), object, generation);
    }

    /** Sets generated fields, and validates the complete object. */
    private void complete(ResourceType type, ObjectNode object, WriteOptions options) throws StatusException {
        TypeRules rules = TypeRules.of(type);
        rules.generate(object, null);
        ObjectNode metadata = Json.child(object, "metadata");
        ApiErrors.requireValid(type, Json.text(metadata, "name"), causes -> {
            MetadataRules.check(metadata, TypeTraits.of(type), true, causes);
            check(type, rules, object, null, causes);
        });
        options.warn(Rules.warnings(rules.definition(), object, null));
        options.warn(MetadataRules.finalizerWarnings(type, MissingNode.getInstance(), metadata));
    }

    /** Validates an object by its rules and its schema. */
    void check(ResourceType type, TypeRules rules, ObjectNode object, @Nullable ObjectNode before, Causes causes) {
        if (type.form() == null) {
            causes.defer(expressions.check(type.storage(), object, before));
        }
        rules.check(object, before, causes);
        causes.addDeferred(cause -> true);
        if (type.form() == null) {
            SchemaCheck.check(type.kind(), ObjectConversion.schema(type), object, causes);
        }
    }
}
