package io.plat.engine.rbac.index;

import io.plat.engine.rbac.ClusterRoleSelector;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Aggregation of cluster roles: the rules of the roles that a role selects by label, including other aggregating roles. Cycles are allowed: each role
 * has the rules of all roles that it reaches. The text of aggregated rules is limited to the size of an object: the largest roles are left out.
 */
final class Aggregation {
    /** Maximum text of the rules of one role, in characters: 1.5 MiB, as much as etcd accepts for an object of kube-apiserver. */
    static final long MAX_TEXT = 3 << 19;

    /**
     * Maximum text of the rules of one role that permits writing another aggregated role: half of {@link #MAX_TEXT}, as concurrent writes are
     * independent, and as small roles must not displace others.
     */
    private static final long MAX_WRITTEN = MAX_TEXT / 2;

    private final List<Source> byName;

    /** For each selector of an aggregating role, the positions in {@link #byName} of the roles that it selects, as a {@link BitSet}. */
    private final Map<ObjectKey, List<long[]>> selected = new HashMap<>();

    /**
     * Creates the aggregation of roles.
     *
     * @param clusterRoles all ClusterRoles
     */
    Aggregation(Collection<Source> clusterRoles) {
        this.byName = clusterRoles.stream().sorted(Source.BY_NAME).toList();
    }

    /**
     * A ClusterRole.
     *
     * @param text the length of its own rules
     */
    record Source(RbacRole role, long text) {
        private static final Comparator<Source> BY_NAME = Comparator.comparing(source -> source.role.key());

        static Source of(RbacRole role) {
            return new Source(
                    role, role.rules().stream().mapToLong(RbacRule::length).sum());
        }
    }

    /**
     * The rules of an aggregating role, without duplicates, by selector and then by the names of the selected roles.
     *
     * @param leftOut the roles whose rules are left out because of the limit
     */
    record AggregatedRules(List<RbacRule> rules, List<ObjectKey> leftOut) {}

    /** Returns the aggregating roles whose rules may differ after some roles were created, changed or deleted. */
    static Set<ObjectKey> affected(Collection<RbacRole> aggregating, Collection<RbacRole> changed) {
        Set<ObjectKey> affected = new TreeSet<>();
        List<RbacRole> causes = new ArrayList<>(changed);
        while (!causes.isEmpty()) {
            List<RbacRole> next = new ArrayList<>();
            for (RbacRole role : aggregating) {
                if (!affected.contains(role.key())
                        && causes.stream().anyMatch(cause -> cause.key().equals(role.key()) || role.selects(cause))) {
                    affected.add(role.key());
                    next.add(role);
                }
            }
            causes = next;
        }
        return affected;
    }

    /** Returns whether a role aggregates too much to write another role for it. */
    boolean isFull(RbacRole aggregating) {
        return reached(aggregating).stream().mapToLong(Source::text).sum() > MAX_WRITTEN;
    }

    AggregatedRules rulesOf(RbacRole aggregating) {
        List<Source> reached = reached(aggregating);
        long text = reached.stream().mapToLong(Source::text).sum();
        Set<ObjectKey> leftOut = new TreeSet<>();
        if (text > MAX_TEXT) {
            List<Source> largestFirst = new ArrayList<>(reached);
            largestFirst.sort(Comparator.comparingLong(Source::text).reversed().thenComparing(Source.BY_NAME));
            for (Iterator<Source> largest = largestFirst.iterator(); text > MAX_TEXT; ) {
                Source next = largest.next();
                leftOut.add(next.role.key());
                text -= next.text;
            }
        }
        Set<RbacRule> rules = new LinkedHashSet<>();
        for (Source source : reached) {
            if (!leftOut.contains(source.role.key())) {
                rules.addAll(source.role.rules());
            }
        }
        return new AggregatedRules(List.copyOf(rules), List.copyOf(leftOut));
    }

    /**
     * Returns the roles whose own rules an aggregating role has, in order. Roles that were visited before are passed 64 at a time, as files of
     * strangers may contain thousands of roles that select each other.
     */
    private List<Source> reached(RbacRole aggregating) {
        List<Source> reached = new ArrayList<>();
        BitSet others = new BitSet();
        others.set(0, byName.size());
        int self = Collections.binarySearch(byName, new Source(aggregating, 0), Source.BY_NAME);
        if (self >= 0) {
            others.clear(self);
        }
        long[] unvisited = others.toLongArray();
        Deque<Selection> open = new ArrayDeque<>();
        push(aggregating, open);
        for (Selection current = open.peek(); current != null; current = open.peek()) {
            int next = current.removeFirst(unvisited);
            if (next < 0) {
                open.pop();
                continue;
            }
            Source source = byName.get(next);
            if (source.role.aggregation() == null) {
                reached.add(source);
            } else {
                push(source.role, open);
            }
        }
        return reached;
    }

    /** The roles of one selector that are still to be visited. */
    private static final class Selection {
        private final long[] roles;
        private int word;

        Selection(long[] roles) {
            this.roles = roles;
        }

        /** Removes the first unvisited role; returns its position, or -1 if there is none. */
        int removeFirst(long[] unvisited) {
            for (; word < Math.min(roles.length, unvisited.length); word++) {
                long both = roles[word] & unvisited[word];
                if (both != 0) {
                    unvisited[word] &= ~Long.lowestOneBit(both);
                    return word * Long.SIZE + Long.numberOfTrailingZeros(both);
                }
            }
            return -1;
        }
    }

    /** Adds what a role selects, so that its first selector comes first. */
    private void push(RbacRole aggregating, Deque<Selection> open) {
        List<ClusterRoleSelector> selectors = aggregating.aggregation();
        selected.computeIfAbsent(
                        aggregating.key(),
                        unknown -> selectors == null
                                ? List.of()
                                : selectors.stream().map(this::select).toList())
                .reversed()
                .forEach(roles -> open.push(new Selection(roles)));
    }

    private long[] select(ClusterRoleSelector selector) {
        BitSet roles = new BitSet();
        for (int i = 0; i < byName.size(); i++) {
            roles.set(i, selector.matches(byName.get(i).role.labels()));
        }
        return roles.toLongArray();
    }
}
