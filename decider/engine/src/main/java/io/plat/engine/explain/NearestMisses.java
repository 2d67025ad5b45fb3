package io.plat.engine.explain;

import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Mismatch;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;

/**
 * Collector of the nearest grants that do not match. Grants that lack fewer attributes are nearer; among equal ones, grants on the requested resource
 * precede, then grants of the requesting user. Not thread-safe.
 *
 * @param <T> identity of a grant; its order breaks ties
 */
public final class NearestMisses<T> {
    private static final Set<Mismatch> WHO = EnumSet.of(Mismatch.USER, Mismatch.GROUP);
    private static final Set<Mismatch> WHAT = EnumSet.of(Mismatch.API_GROUP, Mismatch.RESOURCE, Mismatch.PATH);
    private static final int[] DISTANCES = distances();

    private final Comparator<Miss<T>> order;
    private final PriorityQueue<Miss<T>> nearest;
    private long count;

    private record Miss<T>(int lacks, T grant) {
        int distance() {
            return NearestMisses.distance(lacks);
        }
    }

    /**
     * Creates an empty collection.
     *
     * @param places orders equally near grants, so that responses are deterministic
     */
    public NearestMisses(Comparator<? super T> places) {
        order = Comparator.<Miss<T>>comparingInt(Miss::distance).thenComparing(Miss::grant, places);
        nearest = new PriorityQueue<>(Explainer.MAX_NEAR_MISSES + 1, order.reversed());
    }

    private static int[] distances() {
        int[] distances = new int[1 << Mismatch.values().length];
        for (int lacks = 0; lacks < distances.length; lacks++) {
            distances[lacks] = distance(Mismatch.words(lacks));
        }
        return distances;
    }

    private static int distance(int lacks) {
        return DISTANCES[lacks];
    }

    /** Returns the rank of a miss, comparable across authorizers. */
    static int distance(NearMiss miss) {
        return distance(miss.lacks());
    }

    private static int distance(List<String> lacks) {
        return 4 * lacks.size() + (has(lacks, WHAT) ? 2 : 0) + (has(lacks, WHO) ? 1 : 0);
    }

    private static boolean has(List<String> lacks, Set<Mismatch> some) {
        return some.stream().anyMatch(lack -> lacks.contains(lack.word()));
    }

    /**
     * Adds a grant.
     *
     * @param lacks the bits of the attributes that do not match, not 0
     */
    public void add(int lacks, T grant) {
        count++;
        Miss<T> farthest = nearest.peek();
        boolean full = nearest.size() == Explainer.MAX_NEAR_MISSES;
        if (full && farthest != null && farthest.distance() < distance(lacks)) {
            return;
        }
        nearest.add(new Miss<>(lacks, grant));
        if (full) {
            nearest.poll();
        }
    }

    /** Returns the nearest misses, nearest first. */
    public BoundedList<NearMiss> named(Function<? super T, NamedGrant> naming) {
        List<Miss<T>> sorted = new ArrayList<>(nearest);
        sorted.sort(order);
        List<NearMiss> named = sorted.stream()
                .map(miss -> new NearMiss(naming.apply(miss.grant()), Mismatch.words(miss.lacks())))
                .toList();
        return new BoundedList<>(named, count - named.size());
    }
}
