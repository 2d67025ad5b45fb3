package io.plat.apiserver.operations;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Identities;
import io.plat.apiserver.objects.NamespaceKeeper;
import io.plat.apiserver.objects.Priorities;
import io.plat.apiserver.objects.ReleasingStore;
import io.plat.apiserver.objects.ServiceAllocation;
import io.plat.apiserver.objects.ServiceNetworks;
import io.plat.apiserver.operations.Updater.Written;
import io.plat.apiserver.options.CreateCheck;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.options.WatchOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.patch.PatchFormat;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.FurtherTypes;
import io.plat.apiserver.type.Refusals;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.ResourceType.Subresource;
import io.plat.apiserver.type.Target;
import io.plat.process.BackgroundLoop;
import io.plat.review.status.StatusException;
import java.time.Duration;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the verbs do to stored objects. Whoever calls has authenticated and authorized the request; a body has been read into a
 * tree that the operation takes over. All methods are for any number of threads and wait for the disk where they write.
 *
 * <p>Every failure is a {@link StatusException} with the Status to answer. A write that changes nothing makes no new version.
 */
public final class ResourceOperations implements AutoCloseable {
    private static final Duration ROUND = Duration.ofSeconds(5);
    /** Deleting a namespace must not delete an object that a policy keeps. */
    private static final Requester NAMESPACE_CONTROLLER = Requester.ofController("namespace-controller");

    private final ObjectStore store;
    private final Reader reader;
    private final Listing listing;
    private final Creator creator;
    private final Updater updater;
    private final Deletion deletion;
    private final NamespaceKeeper namespaces;
    private final Scales scales;
    private final PodOperations pods;
    private final AdmissionStep admission;
    private final Identities identities;

    private ResourceOperations(
            ObjectStore store,
            ResourceCatalog catalog,
            Identities identities,
            ServiceAllocation services,
            NamespaceKeeper namespaces,
            ContinueTokens tokens,
            Settings settings) {
        this.store = store;
        this.identities = identities;
        this.reader = new Reader(store);
        this.listing = new Listing(store, tokens);
        AdmissionCheck check = settings.admission();
        this.admission = new AdmissionStep(store, check);
        this.creator = new Creator(store, identities, services, settings.expressions(), check);
        this.updater = new Updater(store, creator, identities, services, namespaces::attend, check);
        this.deletion = new Deletion(store, identities, namespaces::attend, check);
        this.namespaces = namespaces;
        this.scales = new Scales(reader, updater, identities);
        ResourceType budget =
                catalog.find("policy", "v1", "poddisruptionbudgets").orElseThrow();
        var budgets = new DisruptionBudgets(store, updater, identities, budget);
        this.pods = new PodOperations(updater, new Eviction(reader, deletion, budgets), identities, admission);
    }

    /**
     * Begins to serve a store: makes the first namespaces where they are not, and goes on deleting those that were going.
     *
     * @param further types whose objects are here beside those of the catalog
     * @param settings what can be told apart from one server to another
     * @throws StorageException if the store can't be read or written
     */
    public static ResourceOperations start(
            ObjectStore store, ResourceCatalog catalog, FurtherTypes further, Identities identities, Settings settings)
            throws StorageException {
        Supplier<Collection<ResourceType>> namespaced =
                () -> Stream.concat(catalog.types().stream(), further.now().stored().stream())
                        .filter(type -> type.namespaced() && !type.virtual())
                        .collect(Collectors.toMap(ResourceType::storage, type -> type, (preferred, other) -> preferred))
                        .values();
        var services = new ServiceAllocation(store, settings.networks(), identities.random());
        ObjectStore releasing = new ReleasingStore(store, services);
        AdmissionCheck admission = settings.admission();
        var namespaces = new NamespaceKeeper(releasing, identities, namespaced, (type, entry) -> {
            Snapshot snapshot = store.latest();
            if (admission.applies(snapshot)) {
                Key key = entry.key();
                Target target = new Target(type, key.namespace(), key.name());
                Deletion.admit(admission, target, entry, false, snapshot, NAMESPACE_CONTROLLER);
            }
        });
        namespaces.start();
        Priorities.makeFirst(store, identities);
        var tokens = ContinueTokens.open(store, identities, settings.continueTtl());
        return new ResourceOperations(releasing, catalog, identities, services, namespaces, tokens, settings);
    }

    /**
     * How a store is served.
     *
     * @param continueTtl how long a list can be continued after a chunk of it
     * @param networks what services are given
     * @param expressions what is wrong with expressions in objects
     * @param admission the policies that writes are subject to
     */
    public record Settings(
            Duration continueTtl, ServiceNetworks networks, ExpressionCheck expressions, AdmissionCheck admission) {
        /** Those of a server that is told nothing. */
        public static final Settings DEFAULT = new Settings(
                ContinueTokens.DEFAULT_TTL, ServiceNetworks.DEFAULT, ExpressionCheck.NONE, AdmissionCheck.NONE);
    }

    /**
     * Begins to serve a store as a server does that is told nothing.
     *
     * @throws StorageException if the store can't be read or written
     */
    public static ResourceOperations start(ObjectStore store, ResourceCatalog catalog, Identities identities)
            throws StorageException {
        return start(store, catalog, FurtherTypes.NONE, identities, Settings.DEFAULT);
    }

    /**
     * Looks every few seconds for namespaces that processes on the same store have left unfinished. Nothing where there are none: each
     * namespace is looked after when it changes.
     *
     * @return to be closed where it is to end
     */
    public AutoCloseable keepNamespaces() {
        if (store.readsFromMemory()) {
            return () -> {};
        }
        return BackgroundLoop.virtual("namespace-rounds", () -> {
                    namespaces.attendAll();
                    return ROUND;
                })
                .start();
    }

    /** What is done to the scales of objects. */
    public Scales scales() {
        return scales;
    }

    /** What is done to pods beside writing them. */
    public PodOperations pods() {
        return pods;
    }

    /** Whether {@link #get} never waits. */
    public boolean readsFromMemory() {
        return store.readsFromMemory();
    }

    /**
     * Creates an object in a collection (specification, "Endpoints": POST).
     *
     * @param collection the target, without a name
     * @return 201 and the object
     * @throws StatusException 400, 403, 404, 409, 422 as the field answers them
     */
    public Result.One create(Target collection, Sent body, WriteOptions options) throws StatusException {
        requireVerb(collection, "create");
        Result.One made = creator.create(collection, body, options);
        if (collection.type().storage().equals(ResourceCatalog.NAMESPACES) && !options.dryRun()) {
            try {
                namespaces.ensureAccount(made.object().name());
            } catch (StorageException e) {
                throw Refusals.storage(e);
            }
        }
        return made;
    }

    /**
     * One object.
     *
     * @param resourceVersion not an older state than this; {@code ""} for the newest, {@code "0"} for any
     * @throws StatusException 404 if there is none
     */
    public Result.One get(Target object, String resourceVersion) throws StatusException {
        requireVerb(object, "get");
        return reader.get(object, resourceVersion);
    }

    /**
     * The objects of a collection, of one namespace or, with none, of all.
     *
     * @throws StatusException 400 for a selector that can't be read, 410 and 504 for a state that can't be shown
     */
    public Result.Many list(Target collection, ListOptions options) throws StatusException {
        requireVerb(collection, "list");
        return new Result.Many(listing.list(collection, options));
    }

    /**
     * Follows the objects of a collection, or one of them (specification, "Watch").
     *
     * @param target the collection, or an object of it
     * @param ready called, from any thread, when there is something to poll after a poll found nothing; must return at once and
     *     not throw
     * @return to be closed by the caller
     * @throws StatusException 400 and 422 for options that can't be read, 410 for a version whose history is no longer kept, 504
     *     for a state that nothing has been written under yet
     */
    public ObjectWatch watch(Target target, WatchOptions options, Runnable ready) throws StatusException {
        requireVerb(target, "watch");
        return ObjectWatch.open(store, target, options, ready);
    }

    /**
     * Replaces an object, or creates it where its type allows that.
     *
     * @return 200, or 201 for an object that was created
     * @throws StatusException 400, 403, 404, 409, 422 as the field answers them
     */
    public Result.One update(Target object, Sent body, WriteOptions options) throws StatusException {
        return update(object, null, body, options, () -> {});
    }

    /**
     * The same for whoever may not create, or of a part of an object: what does not belong to the part stays as it is.
     *
     * @param part the part; null for the object
     * @param mayCreate asked before an object is created; throws what refuses
     */
    public Result.One update(
            Target object, @Nullable Subresource part, Sent body, WriteOptions options, CreateCheck mayCreate)
            throws StatusException {
        return updater.update(written(object, part, "update"), body, options, mayCreate);
    }

    /**
     * Changes an object as a patch says. A patch that names no resourceVersion is made to whatever state there is, again where another
     * write came first.
     *
     * @param format how the patch is written
     * @param body the patch
     * @return 200 and the object
     * @throws StatusException 400, 404, 409, 413, 422 as the field answers them
     */
    public Result.One patch(Target object, PatchFormat format, byte[] body, WriteOptions options)
            throws StatusException {
        return patch(object, null, format, body, options);
    }

    /**
     * The same of a part of an object: what does not belong to the part stays as it is.
     *
     * @param part the part; null for the object
     */
    public Result.One patch(
            Target object, @Nullable Subresource part, PatchFormat format, byte[] body, WriteOptions options)
            throws StatusException {
        Written written = written(object, part, "patch");
        return updater.patch(
                written, ObjectBody.patch(format, body, object.type().schema()), options);
    }

    /**
     * Has the fields of an object that somebody manages be as they are applied, and creates the object where there is none.
     *
     * @param part a part of the object, which has to be there; null for the object
     * @param body what is applied: the fields that the manager of the options manages, and no others
     * @param mayCreate asked before an object is created; throws what refuses
     * @return 200, or 201 for an object that was created
     * @throws StatusException 400, 403, 404, 409 with every conflict, 422 as the field answers them
     */
    public Result.One apply(
            Target object, @Nullable Subresource part, Sent body, WriteOptions options, CreateCheck mayCreate)
            throws StatusException {
        return updater.apply(written(object, part, "patch"), body, options, mayCreate);
    }

    private static Written written(Target object, @Nullable Subresource part, String verb) throws StatusException {
        if (part == null) {
            requireVerb(object, verb);
            return Written.whole(object);
        }
        if (!part.verbs().contains(verb)) {
            throw Refusals.methodNotAllowed();
        }
        return Written.part(object, part);
    }

    /**
     * Deletes an object, or begins to.
     *
     * @return the object while it is still there (or where its type answers so), else {@link Result.Deleted}
     * @throws StatusException 403, 404, 409 as the field answers them
     */
    public Result delete(Target object, DeleteOptions options) throws StatusException {
        return delete(object, options, null);
    }

    /**
     * The same for a user.
     *
     * @param requester the user; null for the server itself, whose deletions are not subject to admission
     */
    public Result delete(Target object, DeleteOptions options, @Nullable Requester requester) throws StatusException {
        requireVerb(object, "delete");
        return deletion.delete(object, options, requester);
    }

    /**
     * Changes the metadata of an object for the server itself; the object is deleted if its last finalizer is removed.
     *
     * @param revision the state that is changed
     * @throws StatusException 404 and 409 if the object is not in that state
     */
    public void editMetadata(Target object, long revision, Consumer<ObjectNode> change) throws StatusException {
        deletion.edit(object, revision, change);
    }

    /**
     * Reads the body of an operation that is answered at once.
     *
     * @param target its type, and the namespace that the path names
     * @throws StatusException 400 for another kind, or for unknown fields where these are refused
     */
    public OperationBody operation(Target target, byte[] body, WriteOptions options) throws StatusException {
        return OperationBody.of(target, body, options, identities);
    }

    /**
     * Admits a request that writes nothing here, such as one for a token.
     *
     * @throws StatusException if a policy denies it
     */
    public void admit(AdmissionRequest request) throws StatusException {
        admission.admit(request);
    }

    /**
     * Deletes the objects of a collection that the options pick; each object is admitted by itself.
     *
     * @param requester the user; null for the server itself
     * @return those that were deleted
     * @throws StatusException as list and delete do
     */
    public Result deleteCollection(
            Target collection, ListOptions which, DeleteOptions options, @Nullable Requester requester)
            throws StatusException {
        requireVerb(collection, "deletecollection");
        return deletion.deleteAll(collection, listing.list(collection, which), options, requester);
    }

    private static void requireVerb(Target target, String verb) throws StatusException {
        if (target.type().virtual() || !target.type().verbs().contains(verb)) {
            throw Refusals.methodNotAllowed();
        }
    }

    /** Stops what goes on behind requests. The store stays open. */
    @Override
    public void close() {
        namespaces.close();
    }
}
