package io.plat.engine.webhook;

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
    private final Map<Object, Teller> tellers = new ConcurrentHashMap<>();
    private volatile DeciderRevisionListener listener = DeciderRevisionListener.UNHEARD;
    private volatile Runnable unavailable = () -> {};

    /** One decider's stream. */
    private final class Teller implements RevisionStream.News {
        private final Object decider;
        private volatile String revision = "";

        /** Its last known policy: of its stream, or of a later response. */
        private volatile String policy = "";

        private volatile boolean telling;

        Teller(Object decider) {
            this.decider = decider;
        }

        @Override
        public void told(String latest) {
            hear(this, latest);
        }

        @Override
        public void untold() {
            silent(decider);
        }

        @Override
        public void unavailable() {
            unavailable.run();
        }
    }

    /** Sets the listener. */
    void tell(DeciderRevisionListener news) {
        listener = news;
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
        @Nullable Teller teller = tellers.get(decider);
        String policy = RevisionName.policy(revision);
        return teller != null && !teller.policy.equals(policy) && differs(teller, policy);
    }

    private synchronized boolean differs(Teller teller, String policy) {
        if (teller.telling) {
            return true;
        }
        boolean known = !teller.policy.isEmpty();
        boolean other = !teller.policy.equals(policy);
        teller.policy = policy;
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
        @Nullable Teller teller = tellers.get(decider);
        return teller != null && !believes(teller.revision);
    }

    /** Returns whether any decider sends its revisions. */
    synchronized boolean isTold() {
        return tellers.values().stream().anyMatch(teller -> teller.telling);
    }

    /** Hears one decider's stream. */
    RevisionStream.News of(Object decider) {
        Teller teller = new Teller(decider);
        tellers.put(decider, teller);
        return teller;
    }

    private synchronized void hear(Teller teller, String revision) {
        tellers.put(teller.decider, teller);
        String policy = RevisionName.policy(revision);
        teller.revision = revision;
        teller.policy = policy;
        teller.telling = true;
        order.decides(teller.decider, policy);
        listener.told(current());
    }

    /** The last revision of a disconnected stream remains valid while others are connected: they receive the same changes. */
    private synchronized void silent(Object decider) {
        @Nullable Teller teller = tellers.get(decider);
        if (teller != null && teller.telling) {
            teller.telling = false;
            if (!isTold()) {
                listener.untold();
            }
        }
    }

    /** Removes a decider. */
    synchronized void forget(Object decider) {
        silent(decider);
        @Nullable Teller gone = tellers.remove(decider);
        if (gone != null && !gone.revision.isEmpty()) {
            order.forget(decider);
            if (isTold()) {
                listener.told(current());
            }
        }
    }

    private Set<String> current() {
        Set<String> current = new LinkedHashSet<>();
        for (Teller teller : tellers.values()) {
            if (!teller.revision.isEmpty() && believes(teller.revision)) {
                current.add(teller.revision);
            }
        }
        return current;
    }
}
