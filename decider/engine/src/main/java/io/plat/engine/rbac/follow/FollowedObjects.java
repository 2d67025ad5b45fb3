package io.plat.engine.rbac.follow;

import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.engine.rbac.served.ReceivedObject;
import io.plat.engine.rbac.served.ServedEvent;
import io.plat.engine.rbac.served.ServedPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The last known objects of the four types, and their index. There is no index before all types are loaded, as a partial policy would be incorrect.
 * Changes are applied sequentially, across types.
 */
final class FollowedObjects {
    private final CurrentRbac current;
    private final Runnable changed;
    private final Progress progress;
    private final SourceLog log;
    private final Map<RbacKind, OfType> types = new EnumMap<>(RbacKind.class);

    /** True if the index lacks changes that are in {@link #types}, because applying them failed. */
    private boolean behind;

    private static final class OfType {
        private Map<ObjectKey, RbacObject> usable = new HashMap<>();
        private Set<ObjectKey> unusable = new HashSet<>();
        private int nameless;
        private long memory;
    }

    /**
     * Creates an empty set of objects.
     *
     * @param current receives the index
     * @param changed called after each change of it
     */
    FollowedObjects(CurrentRbac current, Runnable changed, Progress progress, SourceLog log) {
        this.current = current;
        this.changed = changed;
        this.progress = progress;
        this.log = log;
    }

    /**
     * Replaces all objects of a type; known objects that are not listed are removed.
     *
     * @throws SourceException if all types would take more memory; nothing has changed then
     */
    synchronized void replace(RbacKind kind, ServedPage listed, Limits limits) throws SourceException {
        requireRoom(
                kind, listed.items().stream().mapToLong(ReceivedObject::bytes).sum(), limits);
        OfType next = new OfType();
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
        OfType before = types.put(kind, next);
        Map<ObjectKey, RbacObject> old = before == null ? Map.of() : before.usable;
        listed.items().forEach(item -> put(next, item));
        listed.nameless().forEach(problem -> log.unusable("an object of " + kind.resource(), problem));
        next.nameless = listed.nameless().size();
        next.usable.forEach((key, object) -> {
            if (!object.equals(old.get(key))) {
                changes.put(key, object);
            }
        });
        old.keySet().stream().filter(key -> !next.usable.containsKey(key)).forEach(key -> changes.put(key, null));
        recordUnusable(kind, next);
        if (!progress.isLoaded()) {
            loadOnceComplete();
        } else if (behind) {
            index();
        } else {
            apply(changes);
        }
    }

    /**
     * Applies changes of a type that was listed before, in order; bookmarks are ignored.
     *
     * @throws SourceException if there would be too many, or take too much memory; nothing has changed then
     */
    synchronized void change(RbacKind kind, List<ServedEvent> events, Limits limits) throws SourceException {
        OfType type = types.get(kind);
        if (type == null) {
            throw new IllegalStateException("a change before the first list: " + kind);
        }
        if (type.usable.size() + type.unusable.size() + events.size() > limits.objects()) {
            throw limits.exceeded();
        }
        long more = events.stream()
                .mapToLong(event -> event instanceof ServedEvent.Put(ReceivedObject put) ? put.bytes() : 0)
                .sum();
        requireRoom(kind, type.memory + more, limits);
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
        for (ServedEvent event : events) {
            switch (event) {
                case ServedEvent.Put(ReceivedObject object) -> {
                    RbacObject old = type.usable.get(object.key());
                    put(type, object);
                    RbacObject now = type.usable.get(object.key());
                    if (!Objects.equals(old, now)) {
                        changes.put(object.key(), now);
                    }
                }
                case ServedEvent.Removal(ReceivedObject object) -> {
                    if (remove(type, object.key())) {
                        changes.put(object.key(), null);
                    }
                }
                case ServedEvent.Bookmark bookmark -> {}
                case ServedEvent.Failure failure -> throw new IllegalArgumentException("no change: " + failure);
            }
        }
        recordUnusable(kind, type);
        if (progress.isLoaded()) {
            apply(changes);
        }
    }

    private void put(OfType type, ReceivedObject item) {
        RbacObject object = item.object();
        remove(type, item.key());
        if (object == null) {
            // Its earlier state is outdated, so the object grants nothing.
            type.unusable.add(item.key());
            type.memory += ReceivedObject.bytes(item.key());
            log.unusable(item.key().toString(), item.problem());
        } else {
            type.usable.put(item.key(), object);
            type.memory += ReceivedObject.bytes(object);
        }
    }

    /** Removes an object, and returns whether it was usable. */
    private static boolean remove(OfType type, ObjectKey key) {
        type.memory -= type.unusable.remove(key) ? ReceivedObject.bytes(key) : 0;
        RbacObject known = type.usable.remove(key);
        type.memory -= known == null ? 0 : ReceivedObject.bytes(known);
        return known != null;
    }

    private void requireRoom(RbacKind kind, long ofKind, Limits limits) throws SourceException {
        long memory = ofKind;
        for (Map.Entry<RbacKind, OfType> other : types.entrySet()) {
            memory += other.getKey() == kind ? 0 : other.getValue().memory;
        }
        if (memory > limits.memory()) {
            throw limits.exceeded();
        }
    }

    private void recordUnusable(RbacKind kind, OfType type) {
        progress.unusable(kind, type.unusable.size() + type.nameless);
    }

    private void loadOnceComplete() {
        if (types.size() < RbacKind.values().length) {
            return;
        }
        RbacPolicy policy = index();
        progress.loaded();
        log.loaded(policy.roles().size(), policy.bindings().size());
    }

    /** Builds the index from all known objects. */
    private RbacPolicy index() {
        List<RbacObject> usable = new ArrayList<>();
        types.values().forEach(type -> usable.addAll(type.usable.values()));
        RbacPolicy policy = RbacPolicy.of(usable);
        current.replace(RbacIndex.of(policy));
        behind = false;
        publish();
        return policy;
    }

    private void apply(Map<ObjectKey, @Nullable RbacObject> changes) {
        if (changes.isEmpty()) {
            return;
        }
        behind = true;
        current.change(changes);
        behind = false;
        publish();
    }

    private void publish() {
        progress.changed(current.incomplete());
        changed.run();
    }

    /** Returns the types that have not been listed yet. */
    synchronized List<RbacKind> missing() {
        return Arrays.stream(RbacKind.values())
                .filter(kind -> !types.containsKey(kind))
                .toList();
    }
}
