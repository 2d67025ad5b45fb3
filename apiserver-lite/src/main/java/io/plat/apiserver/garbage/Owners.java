package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Key;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.FurtherTypes;
import io.plat.apiserver.type.ResourceCatalog;
import io.plat.apiserver.type.ResourceType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks owners up, and the types that objects are operated on by. But for {@link #resources}, for any number of threads. */
final class Owners {
    private record KindId(String apiVersion, String kind) {}

    private final FurtherTypes further;
    private FurtherTypes.State knownOf = FurtherTypes.State.NONE;
    private List<String> known = List.of();
    private final Map<KindId, ResourceType> byKind = new HashMap<>();
    private final Map<String, ResourceType> byStorage = new LinkedHashMap<>();

    Owners(ResourceCatalog catalog, FurtherTypes further) {
        this.further = further;
        for (ResourceType type : catalog.types()) {
            if (!type.virtual()) {
                byKind.putIfAbsent(new KindId(type.apiVersion(), type.kind()), type);
                byStorage.putIfAbsent(type.storage(), type);
            }
        }
    }

    /** The state of an owner. */
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

    /** The resources that objects are stored under: the same list for as long as they are the same. For one thread. */
    List<String> resources() {
        FurtherTypes.State now = further.now();
        if (known.isEmpty() || now != knownOf) {
            var resources = new LinkedHashSet<>(byStorage.keySet());
            now.stored().forEach(type -> resources.add(type.storage()));
            known = List.copyOf(resources);
            knownOf = now;
        }
        return known;
    }

    /** The type by which the objects of a resource are operated on: its preferred version. */
    ResourceType type(String resource) {
        ResourceType type = byStorage.get(resource);
        if (type == null) {
            type = further.now().stored().stream()
                    .filter(each -> each.storage().equals(resource))
                    .findFirst()
                    .orElse(null);
        }
        if (type == null) {
            throw new IllegalArgumentException("not stored: " + resource);
        }
        return type;
    }

    /** The type of an owner, null for one that is not known here. */
    private @Nullable ResourceType find(OwnerReference reference) {
        ResourceType builtIn = byKind.get(new KindId(reference.apiVersion(), reference.kind()));
        int slash = reference.apiVersion().indexOf('/');
        if (builtIn != null || slash < 0) {
            return builtIn;
        }
        String group = reference.apiVersion().substring(0, slash);
        return further.now().types(group, reference.apiVersion().substring(slash + 1)).stream()
                .filter(type -> type.kind().equals(reference.kind()))
                .findFirst()
                .orElse(null);
    }

    /** Returns whether a reference names an owner: by kind, namespace and name, which were authorized, and not by its uid alone. */
    boolean isOwner(Ownership owner, Key dependent, OwnerReference reference) {
        Key key = owner.key();
        ResourceType type = reference.uid().equals(owner.uid()) ? find(reference) : null;
        return type != null
                && type.storage().equals(key.resource())
                && reference.name().equals(key.name())
                && (key.namespace().isEmpty() || key.namespace().equals(dependent.namespace()));
    }

    State state(Key object, OwnerReference reference, Snapshot snapshot) throws StorageException {
        ResourceType type = find(reference);
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
