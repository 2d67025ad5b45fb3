package io.plat.apiserver.garbage;

import io.plat.apiserver.resource.ResourceCatalog;
import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks owners up, and the types that objects are operated on by. Immutable, for any number of threads. */
final class Owners {
    private record KindId(String apiVersion, String kind) {}

    private final Map<KindId, ResourceType> byKind = new HashMap<>();
    private final Map<String, ResourceType> byStorage = new LinkedHashMap<>();

    Owners(ResourceCatalog catalog) {
        for (ResourceType type : catalog.types()) {
            if (!type.virtual()) {
                byKind.putIfAbsent(new KindId(type.apiVersion(), type.kind()), type);
                byStorage.putIfAbsent(type.storage(), type);
            }
        }
    }

    /** What has become of an owner. */
    enum State {
        /** It is there. */
        PRESENT,
        /** It is there until what belongs to it is gone. */
        WAITING,
        /** It is gone, or another object has its name. */
        ABSENT,
        /** Its kind is unknown here, or can't own the object: nobody can know. */
        UNKNOWN
    }

    /** The resources that objects are stored under. */
    List<String> resources() {
        return List.copyOf(byStorage.keySet());
    }

    /** The type by which the objects of a resource are operated on: its preferred version. */
    ResourceType type(String resource) {
        ResourceType type = byStorage.get(resource);
        if (type == null) {
            throw new IllegalArgumentException("not stored: " + resource);
        }
        return type;
    }

    State state(Key object, OwnerReference reference, Snapshot snapshot) throws StorageException {
        ResourceType type = byKind.get(new KindId(reference.apiVersion(), reference.kind()));
        if (type == null || (type.namespaced() && object.namespace().isEmpty())) {
            return State.UNKNOWN;
        }
        Key key;
        try {
            key = new Key(type.storage(), type.namespaced() ? object.namespace() : "", reference.name());
        } catch (IllegalArgumentException e) {
            // No object can have such a name.
            return State.ABSENT;
        }
        Optional<Entry> entry = snapshot.get(key);
        if (entry.isEmpty()) {
            return State.ABSENT;
        }
        Ownership owner = Ownership.read(entry.get());
        if (!owner.uid().equals(reference.uid())) {
            return State.ABSENT;
        }
        return owner.waits() ? State.WAITING : State.PRESENT;
    }
}
