package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.ObjectIdentity;
import io.plat.apiserver.options.Requester;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Transaction;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.tree.ProgramData;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Namespace controller: creates the initial namespaces and the default service account of each, and empties and removes deleted ones.
 * Work that a stopped server left unfinished is completed by the next one.
 */
public final class NamespaceController implements AutoCloseable {
    private static final List<String> INITIAL = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    public static final String ACCOUNT = "default";

    private static final Requester CONTROLLER = Requester.ofController("namespace-controller");
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration MAX_RETRY = Duration.ofSeconds(30);

    private final ObjectStore store;
    private final ObjectIdentity identity;
    private final Supplier<? extends Collection<ResourceType>> namespaced;
    private final ContentDeletion deletion;
    private final Queue<String> work = new ConcurrentLinkedQueue<>();
    private final Set<String> unfinished = new LinkedHashSet<>();
    private final BackgroundLoop loop;
    private Duration retry = RETRY;

    /** @param namespaced namespaced types, one per resource; evaluated in each round */
    public NamespaceController(
            ObjectStore store,
            ObjectIdentity identity,
            Supplier<? extends Collection<ResourceType>> namespaced,
            ContentDeletion deletion) {
        this.deletion = deletion;
        this.store = store;
        this.identity = identity;
        this.namespaced = namespaced;
        this.loop = BackgroundLoop.virtual("namespaces", this::round);
    }

    /** Creates required objects and resumes unfinished deletions. */
    public void start() throws StorageException {
        for (String name : INITIAL) {
            if (store.latest()
                    .get(new Key(ResourceCatalog.NAMESPACES, "", name))
                    .isEmpty()) {
                store.commit(Transaction.create(new Key(ResourceCatalog.NAMESPACES, "", name), namespace(name)));
            }
        }
        for (Entry entry : store.latest()
                .page(KeyRange.of(ResourceCatalog.NAMESPACES), "", 0)
                .entries()) {
            if (NamespaceRules.terminating(StoredForm.decode(entry.value(), 0))) {
                work.add(entry.key().name());
            } else {
                ensureAccount(entry.key().name());
            }
        }
        loop.start();
    }

    private byte[] namespace(String name) {
        ObjectNode object =
                ProgramData.json(NamespaceController.class, "namespace.json").deepCopy();
        begin(object, name, identity);
        var rules = new NamespaceRules();
        rules.prepare(object, null);
        rules.generate(object, null);
        return StoredForm.encode(object);
    }

    /** Completes the metadata of an object that the server creates and owns. */
    static void begin(ObjectNode object, String name, ObjectIdentity identity) {
        ObjectNode metadata = Json.child(object, "metadata");
        metadata.put("name", name).put("uid", identity.uid()).put("creationTimestamp", identity.now());
        metadata.path("managedFields").forEach(owner -> ((ObjectNode) owner).put("time", identity.now()));
        object.path("status")
                .path("conditions")
                .forEach(condition -> ((ObjectNode) condition).put("lastTransitionTime", identity.now()));
    }

    /** Creates the default service account of a namespace, unless it exists or the namespace is being deleted. */
    public void ensureAccount(String namespace) throws StorageException {
        Key key = new Key("serviceaccounts", namespace, ACCOUNT);
        Optional<Entry> parent = store.latest().get(new Key(ResourceCatalog.NAMESPACES, "", namespace));
        if (parent.isEmpty() || store.latest().get(key).isPresent()) {
            return;
        }
        ObjectNode object = Json.object();
        ObjectNode metadata =
                Json.child(object, "metadata").put("name", key.name()).put("namespace", namespace);
        metadata.put("uid", identity.uid()).put("creationTimestamp", identity.now());
        Outcome outcome =
                store.commit(Transaction.create(key, StoredForm.encode(object)).expecting(parent.get()));
        if (outcome instanceof Outcome.Refused refused
                && !refused.expectation().key().equals(key)) {
            enqueue(namespace);
        }
    }

    /** Schedules work on a namespace: it is being deleted, or an object that delayed its deletion was deleted. */
    public void enqueue(String namespace) {
        if (!namespace.isEmpty()) {
            work.add(namespace);
            loop.signal();
        }
    }

    /**
     * Schedules work on all namespaces that are being deleted, also by other processes on the same store, which may have stopped. All
     * steps are idempotent.
     */
    public void scheduleAll() throws StorageException {
        if (!(store.notBefore(0) instanceof Lookup.Found(Snapshot snapshot))) {
            return;
        }
        for (Entry entry :
                snapshot.page(KeyRange.of(ResourceCatalog.NAMESPACES), "", 0).entries()) {
            String name = entry.key().name();
            boolean served =
                    snapshot.get(new Key("serviceaccounts", name, ACCOUNT)).isPresent();
            if (!served || NamespaceRules.terminating(StoredForm.decode(entry.value(), 0))) {
                enqueue(name);
            }
        }
    }

    private Duration round() {
        for (String next = work.poll(); next != null; next = work.poll()) {
            unfinished.add(next);
            retry = RETRY;
        }
        unfinished.removeIf(this::process);
        if (unfinished.isEmpty()) {
            return BackgroundLoop.UNTIL_SIGNAL;
        }
        Duration pause = retry;
        retry = pause.multipliedBy(2).compareTo(MAX_RETRY) > 0 ? MAX_RETRY : pause.multipliedBy(2);
        return pause;
    }

    /** Processes a namespace; returns whether nothing is left to do for now. */
    private boolean process(String namespace) {
        try {
            Optional<Entry> entry = store.latest().get(new Key(ResourceCatalog.NAMESPACES, "", namespace));
            if (entry.isEmpty()) {
                return true;
            }
            if (!NamespaceRules.terminating(StoredForm.decode(entry.get().value(), 0))) {
                ensureAccount(namespace);
                return true;
            }
            var remaining = new RemainingResources();
            return deleteContents(namespace, remaining) ? finish(entry.get()) : reportRemaining(entry.get(), remaining);
        } catch (StorageException e) {
            // The store reports the failure through its health check and to its users; here it is only retried.
            return false;
        }
    }

    /** Reports in the namespace's conditions that remaining objects wait for finalizers; removal of the last one triggers another run. */
    private boolean reportRemaining(Entry current, RemainingResources remaining) throws StorageException {
        String namespace = current.key().name();
        boolean allTerminating = true;
        for (ResourceType type : namespaced.get()) {
            KeyRange range = KeyRange.of(type.storage(), namespace);
            for (Page page = deletion.first(range); !page.entries().isEmpty(); page = deletion.next(range, page)) {
                for (Entry entry : page.entries()) {
                    JsonNode metadata = StoredForm.decode(entry.value(), 0).path("metadata");
                    allTerminating &= metadata.hasNonNull("deletionTimestamp");
                    remaining.add(entry, metadata.path("finalizers"));
                }
            }
        }
        if (!allTerminating && !remaining.hasFailures()) {
            return false;
        }
        ObjectNode object = StoredForm.decode(current.value(), 0);
        boolean reported = !remaining.report(object, identity.now())
                || store.commit(Transaction.replace(current, StoredForm.encode(object))
                                .asDeletionStep())
                        instanceof Outcome.Committed;
        return reported && !remaining.hasFailures();
    }

    private boolean deleteContents(String namespace, RemainingResources remaining) throws StorageException {
        boolean complete = true;
        for (ResourceType type : namespaced.get()) {
            complete &= deletion.run(
                    type,
                    namespace,
                    CONTROLLER,
                    denied -> remaining.addFailure(denied.status().message()));
        }
        return complete;
    }

    /** Removes the server's finalizer, and the namespace itself unless it has others. */
    private boolean finish(Entry current) throws StorageException {
        ObjectNode object = StoredForm.decode(current.value(), 0);
        ObjectNode spec = Json.child(object, "spec");
        List<String> present = Json.texts(spec.path("finalizers"));
        List<String> others = present.stream()
                .filter(finalizer -> !finalizer.equals(Finalizers.NAMESPACE))
                .toList();
        boolean held =
                !others.isEmpty() || !object.path("metadata").path("finalizers").isEmpty();
        if (held && others.size() == present.size()) {
            return true;
        }
        Json.putTexts(spec, "finalizers", others);
        Outcome outcome = store.commit(
                held
                        ? Transaction.replace(current, StoredForm.encode(object))
                                .asDeletionStep()
                        : Transaction.delete(current));
        return outcome instanceof Outcome.Committed;
    }

    @Override
    public void close() {
        loop.close();
    }
}
