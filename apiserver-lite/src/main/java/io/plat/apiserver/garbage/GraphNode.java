package io.plat.apiserver.garbage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.metadata.Finalizers;
import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.tree.Json;
import java.util.List;
import java.util.Set;

/**
 * Metadata of an object that is relevant to garbage collection.
 *
 * @param size size of the stored object, in bytes
 * @param owners owners, in the order of the owner references
 */
record GraphNode(
        Key key,
        int size,
        String uid,
        long revision,
        List<OwnerReference> owners,
        List<String> finalizers,
        boolean deleting) {
    private static final Set<String> OWN = Set.of(Finalizers.FOREGROUND, Finalizers.ORPHAN);

    private static final Set<String> FIELDS = Set.of("uid", "deletionTimestamp", "finalizers", "ownerReferences");

    GraphNode {
        owners = List.copyOf(owners);
        finalizers = List.copyOf(finalizers);
    }

    /** Returns whether its deletion waits for dependents to be deleted (foreground). */
    boolean waits() {
        return deleting && finalizers.contains(Finalizers.FOREGROUND);
    }

    /** Returns whether its deletion waits for dependents to be orphaned. */
    boolean orphans() {
        return deleting && finalizers.contains(Finalizers.ORPHAN);
    }

    /** Returns the part that the graph retains: finalizers of others are irrelevant to the collector. */
    GraphNode kept() {
        return new GraphNode(
                key,
                size,
                uid,
                revision,
                owners,
                finalizers.stream().filter(OWN::contains).toList(),
                deleting);
    }

    static GraphNode read(Entry entry) {
        ObjectNode metadata = StoredForm.metadata(entry.value(), FIELDS);
        return new GraphNode(
                entry.key(),
                entry.value().length,
                Json.text(metadata, "uid"),
                entry.revision(),
                metadata.path("ownerReferences")
                        .valueStream()
                        .map(OwnerReference::read)
                        .toList(),
                Json.texts(metadata.path("finalizers")),
                metadata.has("deletionTimestamp"));
    }
}
