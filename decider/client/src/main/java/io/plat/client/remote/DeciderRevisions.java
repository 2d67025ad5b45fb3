package io.plat.client.remote;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Revisions of the deciders behind one name, each from its own stream: they determine which responses are valid, and which may be cached.
 * Thread-safe.
 */
final class DeciderRevisions {
    private final PolicyOrder order = new PolicyOrder();
    private final Map<Object, Subscription> subscriptions = new ConcurrentHashMap<>();
    private volatile DeciderRevisionListener listener = DeciderRevisionListener.NONE;
    private volatile Runnable unavailable = () -> {};

    private final class Subscription implements RevisionStream.Listener {
        private final Object decider;
        /** The last revision of the stream, and its policy. */
        private volatile String revision = "";

        private volatile String streamed = "";

        /** The last known policy, from the stream or a later response. */
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
        public void confirmed() {
            confirm(this);
        }

        /** Returns whether a response had a policy that the stream has not sent yet. */
        boolean isDoubted() {
            return !policy.equals(streamed);
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

    /** Sets an action for failed connection attempts and disconnections of streams. */
    void whenUnavailable(Runnable action) {
        unavailable = action;
    }

    /**
     * Records the revision of a response: a policy other than the known one invalidates the cache.
     *
     * <p>Responses may be reordered, so they do not reveal which of two known policies is newer; the revision stream does. A policy that a
     * decider's stream has not sent yet is newer: until the stream sends it, or a heartbeat denies it, no answer of the decider is cached.
     *
     * @return whether the decider has a stream whose last revision has another policy
     */
    boolean answered(Object decider, String revision) {
        if (revision.isEmpty()) {
            return false;
        }
        @Nullable Subscription subscription = subscriptions.get(decider);
        if (subscription == null) {
            return false;
        }
        String policy = RevisionName.policy(revision);
        if (!subscription.policy.equals(policy)) {
            differs(subscription, policy);
        }
        return subscription.connected && !subscription.streamed.equals(policy);
    }

    private synchronized void differs(Subscription subscription, String policy) {
        if (subscription.policy.equals(policy)
                || (subscription.connected && order.hasAdopted(subscription.decider, policy))) {
            return;
        }
        boolean known = !subscription.policy.isEmpty();
        subscription.policy = policy;
        if (known) {
            listener.changed();
        }
        if (subscription.connected) {
            listener.received(current());
        }
    }

    private synchronized void confirm(Subscription subscription) {
        if (subscription.connected && subscription.isDoubted()) {
            update(subscription, subscription.revision);
        }
    }

    /** Returns whether the policy of a response is not known to be outdated. A response without a revision counts as current. */
    boolean isCurrent(String revision) {
        return revision.isEmpty() || !order.isOutdated(RevisionName.policy(revision));
    }

    /** Returns whether a decider's last revision is outdated, in which case its responses are discarded. */
    boolean isOutdated(Object decider) {
        @Nullable Subscription subscription = subscriptions.get(decider);
        return subscription != null && !isCurrent(subscription.revision);
    }

    /** Returns whether the revision stream of any decider is connected. */
    synchronized boolean isConnected() {
        return subscriptions.values().stream().anyMatch(subscription -> subscription.connected);
    }

    /** Returns the listener of one decider's stream. */
    RevisionStream.Listener of(Object decider) {
        Subscription subscription = new Subscription(decider);
        subscriptions.put(decider, subscription);
        return subscription;
    }

    private synchronized void update(Subscription subscription, String revision) {
        subscriptions.put(subscription.decider, subscription);
        String policy = RevisionName.policy(revision);
        subscription.revision = revision;
        subscription.streamed = policy;
        subscription.policy = policy;
        subscription.connected = true;
        order.adopted(subscription.decider, policy);
        listener.received(current());
    }

    /** Handles a disconnection. The stream's last revision remains valid while others are connected, as they receive the same changes. */
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
            if (!subscription.revision.isEmpty() && !subscription.isDoubted() && isCurrent(subscription.revision)) {
                current.add(subscription.revision);
            }
        }
        return current;
    }
}
