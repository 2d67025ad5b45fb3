package io.plat.apiserver.garbage;

import io.plat.apiserver.storage.Key;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who refers to whom: the objects that have owners, by themselves and by the uid of each owner. For one thread. */
final class Dependents {
    private final Map<Key, Ownership> objects = new HashMap<>();
    private final Map<String, Map<Key, Ownership>> byOwner = new HashMap<>();

    /** Takes in the present state of an object; what was known of it, if that had owners. */
    Optional<Ownership> put(Ownership object) {
        Optional<Ownership> before = remove(object.key());
        if (!object.owners().isEmpty()) {
            objects.put(object.key(), object);
            for (OwnerReference owner : object.owners()) {
                byOwner.computeIfAbsent(owner.uid(), uid -> new LinkedHashMap<>())
                        .put(object.key(), object);
            }
        }
        return before;
    }

    /** Forgets an object; what was known of it, if it had owners. */
    Optional<Ownership> remove(Key key) {
        Ownership before = objects.remove(key);
        if (before == null) {
            return Optional.empty();
        }
        for (OwnerReference owner : before.owners()) {
            Map<Key, Ownership> siblings = byOwner.get(owner.uid());
            if (siblings != null) {
                siblings.remove(key);
                if (siblings.isEmpty()) {
                    byOwner.remove(owner.uid());
                }
            }
        }
        return Optional.of(before);
    }

    /** The objects that refer to an owner. */
    List<Ownership> of(String uid) {
        return List.copyOf(byOwner.getOrDefault(uid, Map.of()).values());
    }

    /** Whether an owner that is deleted in the foreground has to wait for one of those that refer to it. */
    boolean block(String uid) {
        for (Ownership dependent : byOwner.getOrDefault(uid, Map.of()).values()) {
            for (OwnerReference owner : dependent.owners()) {
                if (owner.uid().equals(uid) && owner.blocks()) {
                    return true;
                }
            }
        }
        return false;
    }

    void clear() {
        objects.clear();
        byOwner.clear();
    }
}
