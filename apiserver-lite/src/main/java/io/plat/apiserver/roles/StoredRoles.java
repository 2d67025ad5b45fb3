package io.plat.apiserver.roles;

import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.type.Listening;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.process.Currency;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Follows the role objects of a store and compiles them, change by change. */
public final class StoredRoles implements AutoCloseable {
    private final CurrentRbac current;
    private final FollowedStore store;
    private final RoleFollower follower;
    private final List<Runnable> listeners;

    private StoredRoles(CurrentRbac current, FollowedStore store, RoleFollower follower, List<Runnable> listeners) {
        this.current = current;
        this.store = store;
        this.follower = follower;
        this.listeners = listeners;
    }

    /**
     * Compiles what there is, and follows it until closed. The store stays open then.
     *
     * @throws StorageException if the store can't be read
     */
    public static StoredRoles follow(ObjectStore store) throws StorageException {
        Currency currency = new Currency("roles", Currency.BOUND);
        CurrentRbac current = new CurrentRbac(() -> currency.isCurrent() && store.isCurrent());
        Progress progress = new Progress();
        FollowedStore followed = new FollowedStore(store, progress);
        List<Runnable> listeners = new CopyOnWriteArrayList<>();
        RoleFollower follower =
                RoleFollower.start(followed.reading(), new Compiler(current, progress, listeners), currency);
        return new StoredRoles(current, followed, follower, listeners);
    }

    /** Has somebody told, after each change, that decisions are made by it; the call must return at once and not throw. */
    public Listening listen(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Why nothing is decided by role objects at the moment; {@code ""} where it is. */
    public String problem() {
        return current.get() == null ? RbacAuthorizer.NOT_CURRENT : "";
    }

    /** What decides now. */
    public CurrentRbac current() {
        return current;
    }

    /** The store, through which a write of a role object is acknowledged once decisions are made by it. */
    public ObjectStore store() {
        return store;
    }

    @Override
    public void close() {
        follower.close();
    }

    private record Compiler(CurrentRbac current, Progress progress, List<Runnable> listeners) implements RoleListener {
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
