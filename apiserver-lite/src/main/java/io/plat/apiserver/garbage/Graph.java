package io.plat.apiserver.garbage;

import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.process.FairQueue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Graph of objects that have owners or wait for dependents, with a queue of objects to evaluate. Not thread-safe. */
final class Graph {
    /** Approximate memory of a reference besides its texts, in bytes: the record, its strings, and the indexes by uid. */
    private static final int REFERENCE = 500;

    private final ObjectStore store;
    private final Map<Key, GraphNode> owned = new HashMap<>();
    private final Map<String, Map<Key, GraphNode>> byOwner = new HashMap<>();
    private final Map<String, Key> waiting = new HashMap<>();

    /** Namespaces take turns: the cost of an evaluation depends on references that their users choose. */
    private final FairQueue<Key> queue = new FairQueue<>();

    Graph(ObjectStore store) {
        this.store = store;
    }

    void observed(GraphNode object) {
        List<OwnerReference> before = forget(object.key());
        if (!object.owners().isEmpty()) {
            GraphNode kept = object.kept();
            owned.put(object.key(), kept);
            count(kept, 1);
            for (OwnerReference owner : object.owners()) {
                byOwner.computeIfAbsent(owner.uid(), uid -> new LinkedHashMap<>())
                        .put(object.key(), kept);
            }
        }
        if (!object.owners().equals(before)) {
            enqueueWaitingOwners(before);
            enqueue(object.key());
        }
        if (object.waits() || object.orphans()) {
            enqueue(object.key());
            boolean begins = waiting.put(object.uid(), object.key()) == null;
            if (begins && object.waits()) {
                enqueueDependents(object);
            }
        }
    }

    void deleted(GraphNode object) {
        forget(object.key());
        waiting.remove(object.uid());
        enqueueWaitingOwners(object.owners());
        enqueueDependents(object);
    }

    /** Removes an object and returns its former owners. */
    private List<OwnerReference> forget(Key key) {
        GraphNode before = owned.remove(key);
        if (before == null) {
            return List.of();
        }
        count(before, -1);
        for (OwnerReference owner : before.owners()) {
            byOwner.computeIfPresent(owner.uid(), (uid, dependents) -> {
                dependents.remove(key);
                return dependents.isEmpty() ? null : dependents;
            });
        }
        return before.owners();
    }

    private void count(GraphNode object, int sign) {
        long bytes = 0;
        for (OwnerReference owner : object.owners()) {
            bytes += REFERENCE
                    + owner.apiVersion().length()
                    + owner.kind().length()
                    + owner.name().length()
                    + owner.uid().length();
        }
        store.countDerived(object.key().namespace(), sign * bytes);
    }

    List<GraphNode> dependents(String uid) {
        return List.copyOf(byOwner.getOrDefault(uid, Map.of()).values());
    }

    private void enqueueDependents(GraphNode owner) {
        byOwner.getOrDefault(owner.uid(), Map.of()).keySet().forEach(this::enqueue);
    }

    private void enqueueWaitingOwners(List<OwnerReference> owners) {
        for (OwnerReference owner : owners) {
            Key key = waiting.get(owner.uid());
            if (key != null) {
                enqueue(key);
            }
        }
    }

    void enqueue(Key key) {
        queue.add(key.namespace(), key);
    }

    boolean idle() {
        return queue.isEmpty();
    }

    List<Key> take(int max) {
        var keys = new ArrayList<Key>();
        while (keys.size() < max && !queue.isEmpty()) {
            keys.add(queue.remove());
        }
        return keys;
    }

    void clear() {
        owned.values().forEach(object -> count(object, -1));
        owned.clear();
        byOwner.clear();
        waiting.clear();
        queue.clear();
    }
}
