package io.plat.engine.webhook;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What the deciders behind one name have told of their policies, each on a stream of its own: which answers are to be believed, and which may be
 * remembered. Safe for use by many threads.
 */
final class ToldRevisions {
    private final PolicyOrder order = new PolicyOrder();
    private final Map<Object, Teller> tellers = new ConcurrentHashMap<>();
    private volatile PolicyNews listener = PolicyNews.UNHEARD;
    private volatile Runnable unavailable = () -> {};

    /** One decider's stream. */
    private final class Teller implements RevisionStream.News {
        private final Object decider;
        private volatile String revision = "";

        /** Its policy as far as it is known: told last, or named by an answer since. */
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

    /** Has somebody hear of them from now on. */
    void tell(PolicyNews news) {
        listener = news;
    }

    /** Has something done whenever a stream could not be connected, or was lost. */
    void whenUnavailable(Runnable action) {
        unavailable = action;
    }

    /**
     * A decider has answered by a revision.
     *
     * <p>Answers overtake each other, so that they say nothing about which policy is the newer one; that it is another one than was known is
     * enough to drop what is remembered. Of a decider that tells its revisions the stream is the one to believe.
     *
     * @return whether it tells its revisions, and told another policy last
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

    /** Whether an answer is made by a policy that nothing newer is known than. One that names none is no older than what it may be. */
    boolean believes(String revision) {
        return revision.isEmpty() || !order.isOutdated(RevisionName.policy(revision));
    }

    /** Whether a decider has told a policy last that is out of date: what it answers is not going to be believed. */
    boolean isBehind(Object decider) {
        @Nullable Teller teller = tellers.get(decider);
        return teller != null && !believes(teller.revision);
    }

    /** Whether anybody tells. */
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

    /** What one that has fallen silent told last stands while others tell: they are told of the same changes. */
    private synchronized void silent(Object decider) {
        @Nullable Teller teller = tellers.get(decider);
        if (teller != null && teller.telling) {
            teller.telling = false;
            if (!isTold()) {
                listener.untold();
            }
        }
    }

    /** A decider is gone for good. */
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
