package io.plat.engine.webhook;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which policies of one source are out of date, where several deciders load them one after the other.
 *
 * <p>Names of policies are compared, never ordered: that one is older than another is known from a decider that left the one for the other.
 * A policy is out of date once a decider has left it, whichever others still decide by it, until one takes it up again: a policy is its
 * content, and one that was put back is the newest. A decider that lags behind such a change and back again takes up a policy that is
 * out of date; that makes it no newer. So a stay counts by its number: the second time that one decider comes to a policy is not undone by
 * another's leaving it for the first time.
 *
 * <p>Changes are made by one thread at a time; looked at by any number of threads.
 */
final class PolicyOrder {
    /** So many policies are remembered, beyond which the oldest is forgotten. */
    static final int MOST = 1024;

    private final Map<String, Stays> policies = new Bounded<>();
    private final Map<Object, Decider> deciders = new HashMap<>();
    private final Set<String> outdated = ConcurrentHashMap.newKeySet();

    /** How often any one decider has come to a policy, and left it, at most. */
    private static final class Stays {
        private int begun;
        private int ended;

        boolean isOutdated() {
            return ended >= begun;
        }
    }

    /** Where a decider has been. */
    private static final class Decider {
        private final Map<String, Integer> stays = new Bounded<>();
        private String now = "";
    }

    /** Forgets the oldest. */
    private static final class Bounded<V> extends LinkedHashMap<String, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
            return size() > MOST;
        }
    }

    /** Whether a newer policy has been seen. One that was never told is not known to be old. */
    boolean isOutdated(String policy) {
        return outdated.contains(policy);
    }

    /** A decider decides by a policy from now on. */
    void decides(Object who, String policy) {
        Decider decider = deciders.computeIfAbsent(who, _ -> new Decider());
        if (decider.now.equals(policy)) {
            return;
        }
        boolean known = !decider.now.isEmpty();
        boolean first = leave(decider);
        enter(decider, policy, known, first);
    }

    /** Leaves where it is; returns whether nobody has been further. */
    private boolean leave(Decider decider) {
        if (decider.now.isEmpty()) {
            return false;
        }
        int stay = decider.stays.getOrDefault(decider.now, 1);
        Stays left = policies.computeIfAbsent(decider.now, _ -> new Stays());
        boolean first = !left.isOutdated() && stay >= left.begun;
        left.begun = Math.max(left.begun, stay);
        left.ended = Math.max(left.ended, stay);
        note(decider.now, left);
        return first;
    }

    /**
     * Comes to a policy.
     *
     * @param known whether it has been somewhere else before
     * @param first whether nobody has been further: what such a decider takes up is the newest, however often it has been there
     */
    private void enter(Decider decider, String policy, boolean known, boolean first) {
        Stays stays = policies.computeIfAbsent(policy, _ -> new Stays());
        int stay = decider.stays.getOrDefault(policy, 0) + 1;
        if (!stays.isOutdated() && !known) {
            // Others are there, however often they were: who is heard for the first time is where they are.
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
            if (outdated.size() > 2 * MOST) {
                outdated.retainAll(policies.keySet());
            }
        } else {
            outdated.remove(policy);
        }
    }

    /**
     * A decider belongs to the name no more. What is known by it stays known while another one is as far; where none is, those that are left
     * count as they are: a policy that was put back by replacing all deciders looks like an old one.
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
