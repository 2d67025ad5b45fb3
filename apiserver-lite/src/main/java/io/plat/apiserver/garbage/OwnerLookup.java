package io.plat.apiserver.garbage;

import io.plat.apiserver.metadata.OwnerReference;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.type.DynamicTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks up owners and types. Thread-safe, except for {@link #resources}. */
final class OwnerLookup {
    private record KindId(String apiVersion, String kind) {}

    private final DynamicTypes dynamicTypes;
    private DynamicTypes.State knownOf = DynamicTypes.State.NONE;
    private List<String> known = List.of();
    private final Map<KindId, ResourceType> byKind = new HashMap<>();
    private final Map<String, ResourceType> byStorage = new LinkedHashMap<>();

    OwnerLookup(ResourceCatalog catalog, DynamicTypes dynamicTypes) {
        this.dynamicTypes = dynamicTypes;
        for (ResourceType type : catalog.types()) {
            if (!type.virtual()) {
                byKind.putIfAbsent(new KindId(type.apiVersion(), type.kind()), type);
                byStorage.putIfAbsent(type.storage(), type);
            }
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

    /** Returns the resources of all stored types: the same list while they are unchanged. Not thread-safe. */
    List<String> resources() {
        DynamicTypes.State now = dynamicTypes.now();
        if (known.isEmpty() || now != knownOf) {
            var resources = new LinkedHashSet<>(byStorage.keySet());
            now.stored().forEach(type -> resources.add(type.storage()));
            known = List.copyOf(resources);
            knownOf = now;
        }
        return known;
    }

    /** Returns the preferred version of the type of a resource. */
    ResourceType type(String resource) {
        ResourceType type = byStorage.get(resource);
        if (type == null) {
            type = dynamicTypes.now().stored().stream()
                    .filter(each -> each.storage().equals(resource))
                    .findFirst()
                    .orElse(null);
        }
        if (type == null) {
            throw new IllegalArgumentException("not stored: " + resource);
        }
        return type;
    }

    /** Returns the type of an owner, null if unknown. */
    private @Nullable ResourceType find(OwnerReference reference) {
        ResourceType builtIn = byKind.get(new KindId(reference.apiVersion(), reference.kind()));
        if (builtIn != null || reference.group().isEmpty()) {
            return builtIn;
        }
        return dynamicTypes.now().types(reference.group(), reference.version()).stream()
                .filter(type -> type.kind().equals(reference.kind()))
                .findFirst()
                .orElse(null);
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
        GraphNode owner = GraphNode.read(entry.get());
        if (!owner.uid().equals(reference.uid())) {
            return State.ABSENT;
        }
        return owner.waits() ? State.WAITING : State.PRESENT;
    }
}
