package io.plat.apiserver.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.Generations;
import io.plat.apiserver.metadata.Identities;
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
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.process.BackgroundLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

/**
 * Keeps namespaces as they should be: the first ones exist, each has its service account, and one that was deleted is emptied and
 * then goes. What a stopped server left half done is finished by the next one.
 */
public final class NamespaceKeeper implements AutoCloseable {
    private static final List<String> FIRST = List.of("default", "kube-system", "kube-public", "kube-node-lease");
    private static final int PAGE = 500;
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final ObjectStore store;
    private final Identities identities;
    private final Supplier<List<String>> namespaced;
    private final Queue<String> work = new ConcurrentLinkedQueue<>();
    private final Set<String> unfinished = new LinkedHashSet<>();
    private final BackgroundLoop loop;

    /**
     * A keeper.
     *
     * @param namespaced the resources whose objects live in namespaces, asked each time
     */
    public NamespaceKeeper(ObjectStore store, Identities identities, Supplier<List<String>> namespaced) {
        this.store = store;
        this.identities = identities;
        this.namespaced = namespaced;
        this.loop = BackgroundLoop.virtual("namespaces", this::round);
    }

    /** Makes what has to be there and goes on with what was begun. */
    public void start() throws StorageException {
        for (String name : FIRST) {
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
        ObjectNode object = Json.object();
        Json.child(object, "metadata").put("name", name);
        begin(object);
        new NamespaceRules().prepare(object, null);
        return StoredForm.encode(object);
    }

    private void begin(ObjectNode object) {
        Json.child(object, "metadata").put("uid", identities.uid()).put("creationTimestamp", identities.now());
    }

    /** Makes the service account that every namespace has, unless it is there or the namespace goes. */
    public void ensureAccount(String namespace) throws StorageException {
        Key key = new Key("serviceaccounts", namespace, ServiceAccountRules.DEFAULT);
        Optional<Entry> home = store.latest().get(new Key(ResourceCatalog.NAMESPACES, "", namespace));
        if (home.isEmpty() || store.latest().get(key).isPresent()) {
            return;
        }
        ObjectNode object = Json.object();
        Json.child(object, "metadata").put("name", key.name()).put("namespace", namespace);
        begin(object);
        Outcome outcome =
                store.commit(Transaction.create(key, StoredForm.encode(object)).provided(home.get()));
        if (outcome instanceof Outcome.Refused refused
                && !refused.expectation().key().equals(key)) {
            attend(namespace);
        }
    }

    /** Has a namespace looked after: it began to go, or something that held it is gone. */
    public void attend(String namespace) {
        if (!namespace.isEmpty()) {
            work.add(namespace);
            loop.signal();
        }
    }

    /**
     * Looks for namespaces that were left as they are by another process, which has ended since, or is about to look after them itself.
     * Nothing of what is done twice does harm.
     */
    public void attendAll() throws StorageException {
        if (!(store.notBefore(0) instanceof Lookup.Found(Snapshot snapshot))) {
            return;
        }
        for (Entry entry :
                snapshot.page(KeyRange.of(ResourceCatalog.NAMESPACES), "", 0).entries()) {
            String name = entry.key().name();
            boolean served = snapshot.get(new Key("serviceaccounts", name, ServiceAccountRules.DEFAULT))
                    .isPresent();
            if (!served || NamespaceRules.terminating(StoredForm.decode(entry.value(), 0))) {
                attend(name);
            }
        }
    }

    private Duration round() {
        for (String next = work.poll(); next != null; next = work.poll()) {
            unfinished.add(next);
        }
        unfinished.removeIf(this::settle);
        return unfinished.isEmpty() ? BackgroundLoop.UNTIL_SIGNAL : RETRY;
    }

    /** Whether nothing is left to do for a namespace for now. */
    private boolean settle(String namespace) {
        try {
            Optional<Entry> entry = store.latest().get(new Key(ResourceCatalog.NAMESPACES, "", namespace));
            if (entry.isEmpty()) {
                return true;
            }
            if (!NamespaceRules.terminating(StoredForm.decode(entry.get().value(), 0))) {
                ensureAccount(namespace);
                return true;
            }
            return empty(namespace) ? finish(entry.get()) : waits(entry.get());
        } catch (StorageException e) {
            // The store says so itself, through its problem and to whoever writes; here there is only to try again.
            return false;
        }
    }

    /** What is left waits for finalizers, and the namespace says so; whoever removes the last one calls again. */
    private boolean waits(Entry seen) throws StorageException {
        var remaining = new RemainingResources();
        for (String resource : namespaced.get()) {
            KeyRange range = KeyRange.of(resource, seen.key().name());
            for (Entry entry : store.latest().page(range, "", 0).entries()) {
                JsonNode metadata = StoredForm.decode(entry.value(), 0).path("metadata");
                if (!metadata.hasNonNull("deletionTimestamp")) {
                    return false;
                }
                remaining.add(entry, metadata.path("finalizers"));
            }
        }
        ObjectNode namespace = StoredForm.decode(seen.value(), 0);
        return !remaining.report(namespace, identities.now())
                || store.commit(Transaction.replace(seen, StoredForm.encode(namespace))
                                .freeing(true))
                        instanceof Outcome.Committed;
    }

    /** Deletes what is in a namespace; whether nothing is left. */
    private boolean empty(String namespace) throws StorageException {
        boolean nothingLeft = true;
        for (String resource : namespaced.get()) {
            KeyRange range = KeyRange.of(resource, namespace);
            String after = "";
            Page page;
            do {
                page = store.latest().page(range, after, PAGE);
                delete(page.entries());
                after = page.entries().isEmpty()
                        ? ""
                        : page.entries().getLast().key().path();
            } while (page.remaining() > 0);
            nothingLeft &= store.latest().count(range) == 0;
        }
        return nothingLeft;
    }

    /** Many deletions are under way at once, so that they share the disk's synchronisations. */
    private void delete(List<Entry> entries) throws StorageException {
        var under = new ArrayList<CompletableFuture<Outcome>>();
        for (Entry entry : entries) {
            ObjectNode object = StoredForm.decode(entry.value(), 0);
            ObjectNode metadata = Json.child(object, "metadata");
            if (metadata.path("finalizers").isEmpty()) {
                under.add(store.submit(Transaction.delete(entry)));
            } else if (!metadata.hasNonNull("deletionTimestamp")) {
                metadata.put("deletionTimestamp", identities.now()).put("deletionGracePeriodSeconds", 0);
                Generations.beginDeletion(object);
                under.add(store.submit(
                        Transaction.replace(entry, StoredForm.encode(object)).freeing(true)));
            }
        }
        for (CompletableFuture<Outcome> one : under) {
            ObjectStore.await(one);
        }
    }

    /** Takes the server's finalizer away, and the namespace with it unless others hold it, who then end it themselves. */
    private boolean finish(Entry seen) throws StorageException {
        ObjectNode object = StoredForm.decode(seen.value(), 0);
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
        spec.remove("finalizers");
        if (!others.isEmpty()) {
            others.forEach(spec.putArray("finalizers")::add);
        }
        Outcome outcome = store.commit(
                held ? Transaction.replace(seen, StoredForm.encode(object)).freeing(true) : Transaction.delete(seen));
        return outcome instanceof Outcome.Committed;
    }

    @Override
    public void close() {
        loop.close();
    }
}
