package io.plat.client.remote;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Order of the policies of one source that several deciders load at different times, which reveals the outdated ones.
 *
 * <p>Names of policies are compared, never ordered: one is older than another if a decider left the one for the other. A policy is outdated once
 * a decider has left it, even if others still use it, until one adopts it again: a policy is its content, and a restored one is the newest. A
 * decider that lags behind such a change and its reversal adopts an outdated policy; that makes it no newer. So adoptions are counted: a
 * decider's second adoption of a policy is not undone by another's leaving it for the first time.
 *
 * <p>Written by one thread at a time, read by any number of threads.
 */
final class PolicyOrder {
    /** So many policies are remembered, beyond which the oldest is forgotten. */
    static final int MAX = 1024;

    private final Map<String, Stays> policies = new Bounded<>();
    private final Map<Object, Decider> deciders = new HashMap<>();
    private final Set<String> outdated = ConcurrentHashMap.newKeySet();

    /** Number of times that any one decider has adopted a policy, and left it, at most. */
    private static final class Stays {
        private int begun;
        private int ended;

        boolean isOutdated() {
            return ended >= begun;
        }
    }

    /** History of one decider. */
    private static final class Decider {
        private final Map<String, Integer> stays = new Bounded<>();
        private String now = "";
    }

    /** Forgets the oldest. */
    private static final class Bounded<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MAX;
        }
    }

    /** Returns whether a newer policy has been seen. An unknown one is not outdated. */
    boolean isOutdated(String policy) {
        return outdated.contains(policy);
    }

    /** A decider decides by a policy from now on. */
    void decides(Object who, String policy) {
        Decider decider = deciders.computeIfAbsent(who, any -> new Decider());
        if (decider.now.equals(policy)) {
            return;
        }
        boolean known = !decider.now.isEmpty();
        boolean first = leave(decider);
        enter(decider, policy, known, first);
    }

    /** Leaves the current policy; returns whether no other decider is ahead. */
    private boolean leave(Decider decider) {
        if (decider.now.isEmpty()) {
            return false;
        }
        int stay = decider.stays.getOrDefault(decider.now, 1);
        Stays left = policies.computeIfAbsent(decider.now, any -> new Stays());
        boolean first = !left.isOutdated() && stay >= left.begun;
        left.begun = Math.max(left.begun, stay);
        left.ended = Math.max(left.ended, stay);
        note(decider.now, left);
        return first;
    }

    /**
     * Adopts a policy.
     *
     * @param known whether the decider had another one before
     * @param first whether no other decider is ahead: its new policy is the newest, regardless of how often it had it before
     */
    private void enter(Decider decider, String policy, boolean known, boolean first) {
        Stays stays = policies.computeIfAbsent(policy, any -> new Stays());
        int stay = decider.stays.getOrDefault(policy, 0) + 1;
        if (!stays.isOutdated() && !known) {
            // Other deciders have it, regardless of how often they did: a new decider joins them there.
            stay = Math.max(stay, stays.begun);
        } else if (stays.isOutdated() && first) {
            stay = Math.max(stay, stays.ended + 1);
        }
        stays.begun = Math.max(stays.begun, stay);
        decider.stays.put(policy, stay);
        decider.now = policy;
        note(policy, stays);
    }

    private void note(String policy, Stays stays) {
        if (stays.isOutdated()) {
            outdated.add(policy);
            if (outdated.size() > 2 * MAX) {
                outdated.retainAll(policies.keySet());
            }
        } else {
            outdated.remove(policy);
        }
    }

    /**
     * Removes a decider of the name. Its information remains while another one is as far ahead; if none is, the remaining ones count as they
     * are: a policy that was restored by replacing all deciders looks outdated.
     */
    void forget(Object who) {
        deciders.remove(who);
        if (deciders.values().stream().allMatch(left -> isOutdated(left.now))) {
            policies.clear();
            outdated.clear();
            for (Decider left : deciders.values()) {
                String policy = left.now;
                left.stays.clear();
                left.now = "";
                enter(left, policy, false, false);
            }
        }
    }
}
