package io.plat.apiserver.roles;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleObjects;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Progress;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.StoredForm;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.process.BackgroundLoop;
import io.plat.process.Freshness;
import io.plat.review.ApiGroups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Follows the role objects of a store and passes on every durable change. Concurrent changes are passed on together. */
public final class RoleFollower implements BackgroundLoop.Work, AutoCloseable {
    private static final int PORTION = 1000;

    private final ObjectStore store;
    private final RoleListener listener;
    private final Progress progress;
    private final List<Watch> watches = new ArrayList<>();
    private final BackgroundLoop loop;
    /** Counted memory of each object. */
    private final Map<ObjectKey, Long> counted = new HashMap<>();

    private boolean begun;

    private RoleFollower(ObjectStore store, RoleListener listener, Progress progress, Freshness freshness) {
        this.store = store;
        this.listener = listener;
        this.progress = progress;
        this.loop = BackgroundLoop.platform(freshness.component(), freshness, this);
    }

    /**
     * Starts passing on all role objects, and then, until closed, every change.
     *
     * @param progress told what has been read, before the listener is
     * @param freshness whether the listener was notified of every change
     */
    public static RoleFollower start(ObjectStore store, RoleListener listener, Progress progress, Freshness freshness)
            throws StorageException {
        var follower = new RoleFollower(store, listener, progress, freshness);
        follower.begin();
        follower.begun = true;
        follower.loop.start();
        return follower;
    }

    private static String resource(RbacKind kind) {
        return kind.resource() + "." + ApiGroups.RBAC;
    }

    private static RbacObject model(RbacKind kind, Entry entry) {
        ObjectNode object = StoredForm.decode(entry.value(), 0);
        return RoleObjects.model(kind, object);
    }

    /** Lists all role objects, and passes them on unless that was just done. */
    @Override
    public void begin() throws StorageException {
        if (begun) {
            begun = false;
            return;
        }
        watches.forEach(Watch::close);
        watches.clear();
        List.copyOf(counted.keySet()).forEach(key -> count(key, 0));
        Snapshot snapshot = store.latest();
        var roles = new ArrayList<RbacRole>();
        var bindings = new ArrayList<RbacBinding>();
        for (RbacKind kind : RbacKind.values()) {
            KeyRange range = KeyRange.of(resource(kind));
            for (Entry entry : snapshot.page(range, "", 0).entries()) {
                RbacObject object = model(kind, entry);
                count(object.key(), object.bytes());
                switch (object) {
                    case RbacRole role -> roles.add(role);
                    case RbacBinding binding -> bindings.add(binding);
                }
            }
            progress.read(range.resource(), snapshot.revision());
            watches.add(store.watch(range, snapshot.revision(), loop::signal));
        }
        listener.replaced(new RbacPolicy(roles, bindings));
    }

    /** Passes on pending events; lists again if some were missed. */
    @Override
    public Duration round() throws StorageException {
        Map<ObjectKey, Optional<RbacObject>> changes = new LinkedHashMap<>();
        RbacKind[] kinds = RbacKind.values();
        for (int i = 0; i < kinds.length; i++) {
            boolean more = true;
            while (more) {
                switch (watches.get(i).poll(PORTION)) {
                    case Watch.Batch.Events events -> {
                        progress.read(resource(kinds[i]), events.position());
                        for (Event event : events.events()) {
                            collect(kinds[i], event, changes);
                        }
                        more = events.events().size() == PORTION;
                    }
                    case Watch.Batch.Gone gone -> {
                        begin();
                        return BackgroundLoop.NONE;
                    }
                }
            }
        }
        if (!changes.isEmpty()) {
            var puts = new ArrayList<RbacObject>();
            var removals = new ArrayList<ObjectKey>();
            changes.forEach((key, object) -> object.ifPresentOrElse(puts::add, () -> removals.add(key)));
            listener.changed(puts, removals);
        }
        return BackgroundLoop.UNTIL_SIGNAL;
    }

    private void collect(RbacKind kind, Event event, Map<ObjectKey, Optional<RbacObject>> changes) {
        ObjectKey key = new ObjectKey(kind, event.key().namespace(), event.key().name());
        Optional<RbacObject> object =
                event.type() == Event.Type.DELETED ? Optional.empty() : Optional.of(model(kind, event.entry()));
        count(key, object.map(RbacObject::bytes).orElse(0L));
        changes.put(key, object);
    }

    /** Counts the memory of an object in place of what it had before; 0 for one that is gone. */
    private void count(ObjectKey key, long bytes) {
        Long before = bytes == 0 ? counted.remove(key) : counted.put(key, bytes);
        store.countDerived(key.namespace(), bytes - (before == null ? 0 : before));
    }

    @Override
    public void close() {
        loop.close();
    }

    /** Listener for the role objects of a store, called by one thread at a time. */
    interface RoleListener {
        /** Replaces all role objects. Called first, and again whenever changes were missed. */
        void replaced(RbacPolicy all);

        /**
         * Applies the changes since the last call.
         *
         * @param puts new or changed objects
         * @param removals deleted objects
         */
        void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals);
    }
}
