package io.plat.apiserver.roles;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.objects.RoleConversion;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.Event;
import io.plat.apiserver.storage.FollowerProgress;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.storage.Watch;
import io.plat.apiserver.stored.StoredForm;
import io.plat.apiserver.type.Subscription;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.BackgroundLoop;
import io.plat.process.Freshness;
import io.plat.review.ApiGroups;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compiled role objects of a store, updated with every durable change; concurrent changes are compiled together. */
public final class StoredRoles implements BackgroundLoop.Work, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRoles.class);
    private static final String SUFFIX = "." + ApiGroups.RBAC;
    private static final Set<String> RESOURCES =
            Arrays.stream(RbacKind.values()).map(StoredRoles::resource).collect(Collectors.toSet());
    private static final int PORTION = 1000;

    private final ObjectStore store;
    private final FollowerProgress progress = new FollowerProgress();
    private final CurrentRbac current;
    private final BackgroundLoop loop;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Map<ObjectKey, Long> counted = new HashMap<>();

    private boolean started;

    private StoredRoles(ObjectStore store, Freshness freshness) {
        this.store = store;
        this.current = new CurrentRbac(() -> freshness.isCurrent() && store.isCurrent());
        this.loop = BackgroundLoop.platform(freshness.component(), freshness, this);
    }

    /** Compiles the role objects, and follows them until closed. The store is not closed. */
    public static StoredRoles follow(ObjectStore store) throws StorageException {
        var roles = new StoredRoles(store, new Freshness("roles", Freshness.BOUND));
        roles.begin();
        roles.started = true;
        roles.loop.start();
        return roles;
    }

    /** Returns the failure of a write that is durable but did not take effect in time. */
    private static CompletableFuture<Outcome> late() {
        LOG.error("a written role object was not in effect in time: limit_s={}", FollowerProgress.TIMEOUT.toSeconds());
        return CompletableFuture.failedFuture(
                new StorageException(StorageException.Kind.UNCERTAIN, "the change is stored, but not in effect yet"));
    }

    /** Registers a listener that is notified after each change has taken effect; it must return immediately and not throw. */
    public Subscription listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Returns the reason why role objects are currently not in effect; {@code ""} if they are. */
    public String problem() {
        return current.get() == null ? RbacAuthorizer.NOT_CURRENT : "";
    }

    public CurrentRbac current() {
        return current;
    }

    /** Returns the store, through which a write of a role object is acknowledged once it is in effect. */
    public ObjectStore store() {
        return progress.delaying(store, key -> RESOURCES.contains(key.resource()), outcome -> late());
    }

    private static String resource(RbacKind kind) {
        return kind.resource() + SUFFIX;
    }

    private static RbacObject model(RbacKind kind, Entry entry) {
        ObjectNode object = StoredForm.decode(entry.value(), 0);
        return RoleConversion.model(kind, object);
    }

    /** Compiles all role objects, unless that was just done. */
    @Override
    public void begin() throws StorageException {
        if (started) {
            started = false;
            return;
        }
        watches.forEach(Watch::close);
        watches.clear();
        List.copyOf(counted.keySet()).forEach(key -> count(key, 0));
        Snapshot snapshot = store.latest();
        var objects = new ArrayList<RbacObject>();
        for (RbacKind kind : RbacKind.values()) {
            KeyRange range = KeyRange.of(resource(kind));
            for (Entry entry : snapshot.page(range, "", 0).entries()) {
                RbacObject object = model(kind, entry);
                count(object.key(), object.bytes());
                objects.add(object);
            }
            progress.read(range.resource(), snapshot.revision());
            watches.add(store.watch(range, snapshot.revision(), loop::signal));
        }
        current.replace(RbacIndex.of(RbacPolicy.of(objects)));
        publish();
    }

    /** Compiles pending events; lists again if some were missed. */
    @Override
    public Duration round() throws StorageException {
        Map<ObjectKey, @Nullable RbacObject> changes = new LinkedHashMap<>();
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
            current.change(changes);
            publish();
        }
        return BackgroundLoop.UNTIL_SIGNAL;
    }

    private void publish() {
        progress.markEffective();
        listeners.forEach(Runnable::run);
    }

    private void collect(RbacKind kind, Event event, Map<ObjectKey, @Nullable RbacObject> changes) {
        ObjectKey key = new ObjectKey(kind, event.key().namespace(), event.key().name());
        RbacObject object = event.type() == Event.Type.DELETED ? null : model(kind, event.entry());
        count(key, object == null ? 0 : object.bytes());
        changes.put(key, object);
    }

    /** Replaces the counted memory of an object; 0 for a deleted object. */
    private void count(ObjectKey key, long bytes) {
        Long before = bytes == 0 ? counted.remove(key) : counted.put(key, bytes);
        store.countDerived(key.namespace(), bytes - (before == null ? 0 : before));
    }

    @Override
    public void close() {
        loop.close();
    }
}
