package io.plat.apiserver.roles;

import io.plat.apiserver.storage.FollowedStore;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Outcome;
import io.plat.apiserver.storage.Progress;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.Subscription;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.Freshness;
import io.plat.review.ApiGroups;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compiled role objects of a store, updated incrementally. */
public final class StoredRoles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoredRoles.class);
    private static final String SUFFIX = "." + ApiGroups.RBAC;

    private final CurrentRbac current;
    private final ObjectStore store;
    private final RoleFollower follower;
    private final List<Runnable> listeners;

    private StoredRoles(CurrentRbac current, ObjectStore store, RoleFollower follower, List<Runnable> listeners) {
        this.current = current;
        this.store = store;
        this.follower = follower;
        this.listeners = listeners;
    }

    /** Compiles the role objects, and follows them until closed. The store is not closed. */
    public static StoredRoles follow(ObjectStore store) throws StorageException {
        Freshness freshness = new Freshness("roles", Freshness.BOUND);
        CurrentRbac current = new CurrentRbac(() -> freshness.isCurrent() && store.isCurrent());
        Progress progress = new Progress();
        ObjectStore followed =
                new FollowedStore(store, key -> key.resource().endsWith(SUFFIX), progress, outcome -> late());
        List<Runnable> listeners = new CopyOnWriteArrayList<>();
        RoleFollower follower =
                RoleFollower.start(store, new Compiler(current, progress, listeners), progress, freshness);
        return new StoredRoles(current, followed, follower, listeners);
    }

    /** Returns the failure of a write that is durable but did not take effect in time. */
    private static CompletableFuture<Outcome> late() {
        LOG.error("a written role object was not in effect after {} s", FollowedStore.TIMEOUT.toSeconds());
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

    /** Returns the current role index. */
    public CurrentRbac current() {
        return current;
    }

    /** Returns the store, through which a write of a role object is acknowledged once it is in effect. */
    public ObjectStore store() {
        return store;
    }

    @Override
    public void close() {
        follower.close();
    }

    private record Compiler(CurrentRbac current, Progress progress, List<Runnable> listeners)
            implements RoleFollower.RoleListener {
        @Override
        public void replaced(RbacPolicy all) {
            current.replace(RbacIndex.of(all));
            progress.tookEffect();
            listeners.forEach(Runnable::run);
        }

        @Override
        public void changed(Collection<RbacObject> puts, Collection<ObjectKey> removals) {
            current.change(puts, removals);
            progress.tookEffect();
            listeners.forEach(Runnable::run);
        }
    }
}
