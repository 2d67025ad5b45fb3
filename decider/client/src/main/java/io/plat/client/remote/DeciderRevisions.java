package io.plat.client.remote;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Revisions of the deciders behind one name, each from a stream of its own: they determine which responses are valid, and which may be cached.
 * Thread-safe.
 */
final class DeciderRevisions {
    private final PolicyOrder order = new PolicyOrder();
    private final Map<Object, Subscription> subscriptions = new ConcurrentHashMap<>();
    private volatile DeciderRevisionListener listener = DeciderRevisionListener.UNHEARD;
    private volatile Runnable unavailable = () -> {};

    private final class Subscription implements RevisionStream.Listener {
        private final Object decider;
        private volatile String revision = "";

        /** Its last known policy: of its stream, or of a later response. */
        private volatile String policy = "";

        private volatile boolean connected;

        Subscription(Object decider) {
            this.decider = decider;
        }

        @Override
        public void received(String latest) {
            update(this, latest);
        }

        @Override
        public void disconnected() {
            disconnect(decider);
        }

        @Override
        public void unavailable() {
            unavailable.run();
        }
    }

    void listen(DeciderRevisionListener newListener) {
        listener = newListener;
    }

    /** Has something done whenever a stream could not be connected, or was lost. */
    void whenUnavailable(Runnable action) {
        unavailable = action;
    }

    /**
     * Records the revision of a response.
     *
     * <p>Responses overtake each other, so that they do not reveal which policy is newer; a policy other than the known one is enough to drop
     * the cache. If the decider has a revision stream, that is authoritative.
     *
     * @return whether it has a stream, which last sent another policy
     */
    boolean answered(Object decider, String revision) {
        if (revision.isEmpty()) {
            return false;
        }
        @Nullable Subscription subscription = subscriptions.get(decider);
        String policy = RevisionName.policy(revision);
        return subscription != null && !subscription.policy.equals(policy) && differs(subscription, policy);
    }

    private synchronized boolean differs(Subscription subscription, String policy) {
        if (subscription.connected) {
            return true;
        }
        boolean known = !subscription.policy.isEmpty();
        boolean other = !subscription.policy.equals(policy);
        subscription.policy = policy;
        if (known && other) {
            listener.changed();
        }
        return false;
    }

    /** Returns whether no newer policy than that of a response is known. A response without a revision counts as current. */
    boolean believes(String revision) {
        return revision.isEmpty() || !order.isOutdated(RevisionName.policy(revision));
    }

    /** Returns whether a decider's last revision is outdated: its responses are going to be discarded. */
    boolean isBehind(Object decider) {
        @Nullable Subscription subscription = subscriptions.get(decider);
        return subscription != null && !believes(subscription.revision);
    }

    /** Returns whether any decider sends its revisions. */
    synchronized boolean isConnected() {
        return subscriptions.values().stream().anyMatch(subscription -> subscription.connected);
    }

    /** Hears one decider's stream. */
    RevisionStream.Listener of(Object decider) {
        Subscription subscription = new Subscription(decider);
        subscriptions.put(decider, subscription);
        return subscription;
    }

    private synchronized void update(Subscription subscription, String revision) {
        subscriptions.put(subscription.decider, subscription);
        String policy = RevisionName.policy(revision);
        subscription.revision = revision;
        subscription.policy = policy;
        subscription.connected = true;
        order.decides(subscription.decider, policy);
        listener.received(current());
    }

    /** The last revision of a disconnected stream remains valid while others are connected: they receive the same changes. */
    private synchronized void disconnect(Object decider) {
        @Nullable Subscription subscription = subscriptions.get(decider);
        if (subscription != null && subscription.connected) {
            subscription.connected = false;
            if (!isConnected()) {
                listener.disconnected();
            }
        }
    }

    /** Removes a decider. */
    synchronized void forget(Object decider) {
        disconnect(decider);
        @Nullable Subscription removed = subscriptions.remove(decider);
        if (removed != null && !removed.revision.isEmpty()) {
            order.forget(decider);
            if (isConnected()) {
                listener.received(current());
            }
        }
    }

    private Set<String> current() {
        Set<String> current = new LinkedHashSet<>();
        for (Subscription subscription : subscriptions.values()) {
            if (!subscription.revision.isEmpty() && believes(subscription.revision)) {
                current.add(subscription.revision);
            }
        }
        return current;
    }
}
