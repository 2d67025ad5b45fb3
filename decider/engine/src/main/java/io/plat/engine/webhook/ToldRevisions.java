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
    private volatile PolicyNews listener = new PolicyNews() {
        @Override
        public boolean told(Set<String> revisions) {
            return false;
        }

        @Override
        public void untold() {}
    };

    /** One decider's stream. */
    private static final class Teller {
        private volatile String revision = "";
        private boolean telling;
    }

    /** Has somebody hear of them from now on. */
    void tell(PolicyNews news) {
        listener = news;
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
    RevisionNews of(Object decider) {
        return new RevisionNews() {
            @Override
            public boolean told(String revision) {
                return hear(decider, revision);
            }

            @Override
            public void untold() {
                silent(decider);
            }
        };
    }

    private synchronized boolean hear(Object decider, String revision) {
        Teller teller = tellers.computeIfAbsent(decider, _ -> new Teller());
        teller.revision = revision;
        teller.telling = true;
        order.decides(decider, RevisionName.policy(revision));
        return listener.told(current());
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
        if (tellers.remove(decider) != null) {
            order.forget(decider);
            if (isTold()) {
                listener.told(current());
            }
        }
    }

    private Set<String> current() {
        Set<String> current = new LinkedHashSet<>();
        for (Teller teller : tellers.values()) {
            if (believes(teller.revision)) {
                current.add(teller.revision);
            }
        }
        return current;
    }
}
