package io.plat.client.remote;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Order of the policies that several deciders load from one source at different times, which reveals outdated ones.
 *
 * <p>Names of policies are compared, never ordered: one is older than another if a decider replaced it by the other. A policy is outdated once a
 * decider has left it, even if others still use it, until one adopts it again: policies are identified by content, so that a restored one is the
 * newest. A decider that lags behind a change and its reversal adopts an outdated policy, which does not make that newer. Therefore adoptions are
 * counted: a second adoption of a policy is not undone by another decider that leaves it for the first time.
 *
 * <p>Written by one thread at a time, read by any number of threads.
 */
final class PolicyOrder {
    /** Maximum number of remembered policies; the oldest is forgotten first. */
    static final int MAX = 1024;

    private final Map<String, Adoptions> policies = new Bounded<>();
    private final Map<Object, Decider> deciders = new HashMap<>();
    private final Set<String> outdated = ConcurrentHashMap.newKeySet();

    /** Maximum number of times that a single decider has adopted a policy, and left it. */
    private static final class Adoptions {
        private int begun;
        private int ended;

        boolean isOutdated() {
            return ended >= begun;
        }
    }

    /** History of one decider. */
    private static final class Decider {
        private final Map<String, Integer> adoptions = new Bounded<>();
        private String now = "";
    }

    /** Map that evicts the oldest entry. */
    private static final class Bounded<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MAX;
        }
    }

    /** Returns whether a newer policy is known. An unknown one is not outdated. */
    boolean isOutdated(String policy) {
        return outdated.contains(policy);
    }

    /** Returns whether a decider uses a policy, or has used it. */
    boolean hasAdopted(Object id, String policy) {
        @Nullable Decider decider = deciders.get(id);
        return decider != null && decider.adoptions.containsKey(policy);
    }

    /** Records that a decider uses a policy from now on. */
    void adopted(Object id, String policy) {
        Decider decider = deciders.computeIfAbsent(id, any -> new Decider());
        if (decider.now.equals(policy)) {
            return;
        }
        boolean known = !decider.now.isEmpty();
        boolean first = leave(decider);
        enter(decider, policy, known, first);
    }

    /** Records that a decider left its policy; returns whether no other decider is ahead. */
    private boolean leave(Decider decider) {
        if (decider.now.isEmpty()) {
            return false;
        }
        int stay = decider.adoptions.getOrDefault(decider.now, 1);
        Adoptions previous = policies.computeIfAbsent(decider.now, any -> new Adoptions());
        boolean first = !previous.isOutdated() && stay >= previous.begun;
        previous.begun = Math.max(previous.begun, stay);
        previous.ended = Math.max(previous.ended, stay);
        note(decider.now, previous);
        return first;
    }

    /**
     * Records that a decider adopted a policy.
     *
     * @param known whether the decider had another one before
     * @param first whether no other decider is ahead: its new policy is the newest, regardless of how often it had it before
     */
    private void enter(Decider decider, String policy, boolean known, boolean first) {
        Adoptions adoptions = policies.computeIfAbsent(policy, any -> new Adoptions());
        int stay = decider.adoptions.getOrDefault(policy, 0) + 1;
        if (!adoptions.isOutdated() && !known) {
            // A new decider has the same state as others with this policy.
            stay = Math.max(stay, adoptions.begun);
        } else if (adoptions.isOutdated() && first) {
            stay = Math.max(stay, adoptions.ended + 1);
        }
        adoptions.begun = Math.max(adoptions.begun, stay);
        decider.adoptions.put(policy, stay);
        decider.now = policy;
        note(policy, adoptions);
    }

    private void note(String policy, Adoptions adoptions) {
        if (adoptions.isOutdated()) {
            outdated.add(policy);
            if (outdated.size() > 2 * MAX) {
                outdated.retainAll(policies.keySet());
            }
        } else {
            outdated.remove(policy);
        }
    }

    /**
     * Removes a decider of the name. Its history remains while another decider is as far ahead. Otherwise only the remaining ones count, as a policy
     * that was restored by replacing all deciders would seem outdated.
     */
    void forget(Object id) {
        deciders.remove(id);
        if (deciders.values().stream().allMatch(each -> isOutdated(each.now))) {
            policies.clear();
            outdated.clear();
            for (Decider each : deciders.values()) {
                String policy = each.now;
                each.adoptions.clear();
                each.now = "";
                enter(each, policy, false, false);
            }
        }
    }
}
