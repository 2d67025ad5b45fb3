package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.objects.BuiltInObjects;
import io.plat.apiserver.objects.ContentDeletion;
import io.plat.apiserver.objects.NamespaceController;
import io.plat.apiserver.objects.ServiceAllocation;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.apiserver.operations.Updater.WriteTarget;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WriteCheck;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Operations on stored objects, one per verb. The caller has authenticated and authorized the request; the operation takes over the
 * parsed body. All methods are thread-safe, and block for durability if they write.
 *
 * <p>Every failure is a {@link StatusException} with the Status of the response. A write without changes creates no new version.
 */
public final class ResourceOperations implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);
    private static final Requester DEFINITION_CONTROLLER =
            Requester.ofController("customresourcedefinition-controller");

    private final ObjectStore store;
    private final Reader reader;
    private final ListOperation listOperation;
    private final Creator creator;
    private final Updater updater;
    private final DeleteOperation deleteOperation;
    private final NamespaceController namespaceController;
    private final ContentDeletion contentDeletion;
    private final ScaleOperations scales;
    private final PodOperations pods;
    private final ObjectIdentity identity;

    private ResourceOperations(
            ObjectStore store,
            ResourceCatalog catalog,
            ObjectIdentity identity,
            ServiceAllocation services,
            NamespaceController namespaceController,
            ContentDeletion contentDeletion,
            ContinueTokens tokens,
            Settings settings) {
        this.store = store;
        this.identity = identity;
        this.reader = new Reader(store);
        this.listOperation = new ListOperation(store, tokens);
        AdmissionCheck check = settings.admission();
        this.creator = new Creator(store, identity, services, settings.expressions(), check);
        Contention contention = new Contention();
        this.updater = new Updater(store, creator, identity, services, namespaceController::enqueue, check, contention);
        this.deleteOperation = new DeleteOperation(store, identity, namespaceController::enqueue, check, contention);
        this.namespaceController = namespaceController;
        this.contentDeletion = contentDeletion;
        this.scales = new ScaleOperations(reader, updater, identity);
        ResourceType budget =
                catalog.find("policy", "v1", "poddisruptionbudgets").orElseThrow();
        var budgets = new DisruptionBudgets(store, updater, identity, budget);
        this.pods = new PodOperations(updater, new PodOperations.Eviction(reader, deleteOperation, budgets), identity);
    }

    /** Starts serving a store: creates the initial namespaces if absent, and resumes deletions in progress. */
    public static ResourceOperations start(
            ObjectStore store,
            ResourceCatalog catalog,
            DynamicTypes dynamicTypes,
            ObjectIdentity identity,
            Settings settings)
            throws StorageException {
        AllTypes types = new AllTypes(catalog, dynamicTypes);
        Supplier<List<ResourceType>> namespaced = () -> types.stored().values().stream()
                .filter(ResourceType::namespaced)
                .toList();
        var services = new ServiceAllocation(store, settings.networks(), identity.random());
        ObjectStore releasing = new RequestStore(services.releasing());
        AdmissionCheck admission = settings.admission();
        var deletion = new ContentDeletion(releasing, identity, (type, entry, controller) -> {
            Target target =
                    new Target(type, entry.key().namespace(), entry.key().name());
            DeleteOperation.admit(admission, target, entry, false, store.latest(), controller);
        });
        var namespaces = new NamespaceController(releasing, identity, namespaced, deletion);
        namespaces.start();
        BuiltInObjects.create(store, identity);
        var tokens = ContinueTokens.open(store, identity, settings.continueTtl());
        return new ResourceOperations(releasing, catalog, identity, services, namespaces, deletion, tokens, settings);
    }

    /** Settings of the operations. */
    public record Settings(
            Duration continueTtl, ServiceNetworks networks, ExpressionCheck expressions, AdmissionCheck admission) {
        public static final Settings DEFAULT = new Settings(
                ContinueTokens.DEFAULT_TTL, ServiceNetworks.DEFAULT, ExpressionCheck.NONE, AdmissionCheck.NONE);
    }

    /** Returns the source of uids, generated names and times. */
    public ObjectIdentity identity() {
        return identity;
    }

    /**
     * Starts periodic checks for namespaces that other processes on the store have left unfinished. Otherwise each namespace is processed
     * when it changes.
     *
     * @return handle that stops the checks when closed
     */
    public AutoCloseable startNamespaceChecks() {
        if (store.readsFromMemory()) {
            return () -> {};
        }
        return BackgroundLoop.virtual("namespace-rounds", () -> {
                    namespaceController.scheduleAll();
                    return ROUND;
                })
                .start();
    }

    public ScaleOperations scales() {
        return scales;
    }

    public PodOperations pods() {
        return pods;
    }

    /** Returns whether {@link #get} never blocks. */
    public boolean readsFromMemory() {
        return store.readsFromMemory();
    }

    /**
     * Creates an object in a collection (specification, "Endpoints": POST).
     *
     * @param collection target without a name
     * @return 201 and the object
     * @throws StatusException 400, 403, 404, 409, 422 as in Kubernetes
     */
    public Result.One create(Target collection, ParsedObject body, WriteOptions options) throws StatusException {
        requireVerb(collection, "create");
        Result.One created = creator.create(collection, body, options);
        if (collection.type().storage().equals(ResourceCatalog.NAMESPACES) && !options.dryRun()) {
            try {
                namespaceController.ensureAccount(created.object().name());
            } catch (StorageException e) {
                throw ApiErrors.storage(e);
            }
        }
        return created;
    }

    /**
     * Returns an object.
     *
     * @param resourceVersion minimum version; {@code ""} for the newest, {@code "0"} for any
     * @throws StatusException 404 if it does not exist
     */
    public Result.One get(Target object, String resourceVersion) throws StatusException {
        requireVerb(object, "get");
        return reader.get(object, resourceVersion);
    }

    /** Returns the newest state of an object, with its resourceVersion; empty if it does not exist. */
    public Optional<ObjectNode> find(Target object) throws StatusException {
        try {
            return Optional.of(get(object, "").object().tree());
        } catch (StatusException e) {
            if (e.status().reason() == StatusReason.NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Returns the objects of a collection, in one namespace or, without one, in all.
     *
     * @throws StatusException 400 for a malformed selector, 410 and 504 for an unavailable version
     */
    public Result.Many list(Target collection, ListOptions options) throws StatusException {
        requireVerb(collection, "list");
        return new Result.Many(listOperation.list(collection, options));
    }

    /**
     * Watches a collection, or one object (specification, "Watch").
     *
     * @param ready called, from any thread, when there are events after a poll without any; must return immediately and not throw
     * @return the watch, to be closed by the caller
     * @throws StatusException 400 and 422 for invalid options, 410 for a version whose history is compacted, 504 for a version in the
     *     future
     */
    public ObjectWatch watch(Target target, ListOptions options, Runnable ready) throws StatusException {
        requireVerb(target, "watch");
        return ObjectWatch.open(store, target, options, ready);
    }

    /**
     * Replaces an object, or creates it if its type permits that.
     *
     * @return 200, or 201 for an object that was created
     * @throws StatusException 400, 403, 404, 409, 422 as in Kubernetes
     */
    public Result.One update(Target object, ParsedObject body, WriteOptions options) throws StatusException {
        return update(object, null, body, options, WriteCheck.NONE);
    }

    /**
     * Replaces an object or a subresource, with a check before creating; other parts stay unchanged.
     *
     * @param part subresource; null for the object
     * @param mayCreate called before an object is created; throws to reject it
     */
    public Result.One update(
            Target object, @Nullable Subresource part, ParsedObject body, WriteOptions options, WriteCheck mayCreate)
            throws StatusException {
        return updater.update(writeTarget(object, part, "update"), body, options, mayCreate);
    }

    /**
     * Patches an object or a subresource; other parts stay unchanged. A patch without a resourceVersion is applied to any state, and
     * retried after conflicts.
     *
     * @param part subresource; null for the object
     */
    public Result.One patch(
            Target object, @Nullable Subresource part, PatchFormat format, byte[] body, WriteOptions options)
            throws StatusException {
        WriteTarget writeTarget = writeTarget(object, part, "patch");
        return updater.patch(
                writeTarget, () -> ObjectBody.patch(format, body, object.type().schema()), options);
    }

    /**
     * Applies a configuration to an object, and creates the object if absent.
     *
     * @param part subresource of an existing object; null for the object
     * @param body apply configuration: exactly the fields that the manager in the options manages
     * @param mayCreate called before an object is created; throws to reject it
     * @return 200, or 201 for an object that was created
     * @throws StatusException 400, 403, 404, 409 with all conflicts, 422 as in Kubernetes
     */
    public Result.One apply(
            Target object, @Nullable Subresource part, ParsedObject body, WriteOptions options, WriteCheck mayCreate)
            throws StatusException {
        return updater.apply(writeTarget(object, part, "patch"), body, options, mayCreate);
    }

    private static WriteTarget writeTarget(Target object, @Nullable Subresource part, String verb)
            throws StatusException {
        if (part == null) {
            requireVerb(object, verb);
            return WriteTarget.whole(object);
        }
        if (!part.verbs().contains(verb)) {
            throw ApiErrors.methodNotAllowed();
        }
        return WriteTarget.part(object, part);
    }

    /**
     * Deletes an object that the server itself manages, or starts its deletion. Not subject to admission.
     *
     * @return the object if it still exists (or its type returns it anyway), else {@link Result.Deleted}
     * @throws StatusException 403, 404, 409 as in Kubernetes
     */
    public Result delete(Target object, DeleteOptions options) throws StatusException {
        return delete(object, options, null);
    }

    /**
     * Deletes an object on behalf of a user.
     *
     * @param requester the user; null for the server itself
     */
    public Result delete(Target object, DeleteOptions options, @Nullable Requester requester) throws StatusException {
        requireVerb(object, "delete");
        return deleteOperation.delete(object, options, requester);
    }

    /**
     * Changes the metadata of an object for the server itself; the object is deleted if its last finalizer is removed.
     *
     * @throws StatusException 404 and 409 if the object is not in that state
     */
    public void editMetadata(Target object, long revision, Consumer<ObjectNode> change) throws StatusException {
        deleteOperation.edit(object, revision, change);
    }

    /**
     * Reads the body of an operation that stores no object.
     *
     * @param subresource the subresource; {@code ""} for none
     * @throws StatusException 400 for another kind, or for unknown fields under strict validation
     */
    public OperationBody operation(Target target, String subresource, byte[] body, WriteOptions options)
            throws StatusException {
        return OperationBody.of(target, subresource, body, options, identity);
    }

    /**
     * Admits a request that writes no object here, such as a token request.
     *
     * @throws StatusException if a policy denies it
     */
    public void admit(AdmissionRequest request) throws StatusException {
        updater.admit(request);
    }

    /**
     * Deletes the selected objects of a collection; each is admitted separately.
     *
     * @param requester the user
     * @return the deleted objects
     * @throws StatusException as list and delete do
     */
    public Result deleteCollection(Target collection, ListOptions selection, DeleteOptions options, Requester requester)
            throws StatusException {
        requireVerb(collection, "deletecollection");
        return deleteOperation.deleteAll(collection, listOperation.list(collection, selection), options, requester);
    }

    /**
     * Deletes all objects of a type whose definition is being deleted.
     *
     * @throws StatusException the first denial, after all others were deleted
     */
    public boolean deleteInstances(ResourceType type) throws StatusException, StorageException {
        var denied = new AtomicReference<@Nullable StatusException>();
        boolean gone = contentDeletion.run(
                type, "", DEFINITION_CONTROLLER, exception -> denied.compareAndSet(null, exception));
        @Nullable StatusException denial = denied.get();
        if (denial != null) {
            throw denial;
        }
        return gone;
    }

    private static void requireVerb(Target target, String verb) throws StatusException {
        if (target.type().virtual() || !target.type().verbs().contains(verb)) {
            throw ApiErrors.methodNotAllowed();
        }
    }

    /** Stops background work. The store stays open. */
    @Override
    public void close() {
        namespaceController.close();
    }
}
