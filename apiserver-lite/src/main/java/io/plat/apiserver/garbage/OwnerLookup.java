package io.plat.apiserver.garbage;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.type.AllTypes;
import io.plat.apiserver.type.ResourceType;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lookup of owners.
 *
 * @param states cache of owners by stored entry: a thousand references of a dependent may name owners with large metadata, and after each
 *     patch of a reference all of them are evaluated again
 */
record OwnerLookup(AllTypes types, LoadingCache<Entry, Known> states) {
    OwnerLookup(AllTypes types) {
        // By identity of the entry, which the store keeps.
        this(types, Caffeine.newBuilder().weakKeys().build(entry -> Known.of(GraphNode.read(entry))));
    }

    /** Properties of an owner that determine whether its dependents are garbage. */
    record Known(String uid, boolean waits) {
        static Known of(GraphNode owner) {
            return new Known(owner.uid(), owner.waits());
        }
    }

    enum State {
        /** Exists. */
        PRESENT,
        /** Exists, and waits for its dependents. */
        WAITING,
        /** Does not exist, or another object has its name. */
        ABSENT,
        /** Unknown kind, or one that cannot own the object. */
        UNKNOWN
    }

    /** Returns the type of an owner; null if unknown. */
    private @Nullable ResourceType find(OwnerReference reference) {
        return types.ofKind(reference.apiVersion(), reference.kind()).orElse(null);
    }

    /** Returns whether a reference names an owner: by kind, namespace and name, which were authorized, and not by its uid alone. */
    boolean isOwner(GraphNode owner, Key dependent, OwnerReference reference) {
        Key key = owner.key();
        ResourceType type = reference.uid().equals(owner.uid()) ? find(reference) : null;
        return type != null
                && type.storage().equals(key.resource())
                && reference.name().equals(key.name())
                && (key.namespace().isEmpty() || key.namespace().equals(dependent.namespace()));
    }

    State state(Key object, OwnerReference reference, Snapshot snapshot) {
        ResourceType type = find(reference);
        if (type == null || (type.namespaced() && object.namespace().isEmpty())) {
            return State.UNKNOWN;
        }
        Optional<Entry> entry =
                snapshot.find(type.storage(), type.namespaced() ? object.namespace() : "", reference.name());
        if (entry.isEmpty()) {
            return State.ABSENT;
        }
        Known owner = states.get(entry.get());
        if (!owner.uid().equals(reference.uid())) {
            return State.ABSENT;
        }
        return owner.waits() ? State.WAITING : State.PRESENT;
    }
}
