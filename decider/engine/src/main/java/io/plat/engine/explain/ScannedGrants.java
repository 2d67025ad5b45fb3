package io.plat.engine.explain;

import io.plat.engine.Decision;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.Mismatch;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Grants of a policy that match a request, and the nearest of those that do not. Grants that lack fewer attributes are nearer; among equal ones, grants
 * on the requested resource precede, then grants of the requesting user. Not thread-safe.
 *
 * @param <T> identity of a grant; its order breaks ties
 */
public final class ScannedGrants<T> {
    private static final Set<Mismatch> SUBJECT = EnumSet.of(Mismatch.USER, Mismatch.GROUP);
    private static final Set<Mismatch> OBJECT = EnumSet.of(Mismatch.API_GROUP, Mismatch.RESOURCE, Mismatch.PATH);
    private static final int[] DISTANCES = distances();

    private final Comparator<? super T> places;
    private final Function<? super T, NamedGrant> naming;
    private final List<T> grants = new ArrayList<>();
    private final Comparator<Miss<T>> order;
    private final PriorityQueue<Miss<T>> nearest;
    private long misses;

    private record Miss<T>(int lacks, T grant) {
        int distance() {
            return DISTANCES[lacks];
        }
    }

    /**
     * Creates an empty collection.
     *
     * @param places order of grants, so that responses are deterministic
     */
    public ScannedGrants(Comparator<? super T> places, Function<? super T, NamedGrant> naming) {
        this.places = places;
        this.naming = naming;
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

    /** Returns the rank of a miss by the words that it lacks, comparable across authorizers. */
    static int distance(List<String> lacks) {
        return 4 * lacks.size() + (has(lacks, OBJECT) ? 2 : 0) + (has(lacks, SUBJECT) ? 1 : 0);
    }

    private static boolean has(List<String> lacks, Set<Mismatch> some) {
        return some.stream().anyMatch(lack -> lacks.contains(lack.word()));
    }

    /**
     * Adds a grant.
     *
     * @param lacks the bits of the attributes that do not match; 0 if it allows the request
     */
    public void add(int lacks, T grant) {
        if (lacks == 0) {
            grants.add(grant);
            return;
        }
        misses++;
        Miss<T> farthest = nearest.peek();
        boolean full = nearest.size() == Explainer.MAX_NEAR_MISSES;
        if (full && farthest != null && farthest.distance() < DISTANCES[lacks]) {
            return;
        }
        nearest.add(new Miss<>(lacks, grant));
        if (full) {
            nearest.poll();
        }
    }

    /**
     * Returns the explanation of a decision.
     *
     * @param decision the decision by the same policy
     * @param fixed grants that are not in the policy
     * @param suggestion suggests a grant if the request is not allowed
     * @param unexplained the unknown parts
     */
    public ExplainedDecision explained(
            Decision decision,
            List<NamedGrant> fixed,
            Supplier<Suggestion> suggestion,
            List<UnexplainedAuthorizer> unexplained) {
        grants.sort(places);
        List<NamedGrant> named = new ArrayList<>(fixed);
        grants.stream().limit(Explainer.MAX_GRANTS - fixed.size()).map(naming).forEach(named::add);
        BoundedList<NamedGrant> all = new BoundedList<>(named, fixed.size() + grants.size() - named.size());
        Findings findings = decision instanceof Decision.Allow
                ? new Findings(all, BoundedList.none(), null, unexplained)
                : new Findings(all, nearMisses(), suggestion.get(), unexplained);
        return new ExplainedDecision(decision, findings);
    }

    /** Returns the nearest misses, nearest first. */
    private BoundedList<NearMiss> nearMisses() {
        List<Miss<T>> sorted = new ArrayList<>(nearest);
        sorted.sort(order);
        List<NearMiss> named = sorted.stream()
                .map(miss -> new NearMiss(naming.apply(miss.grant()), Mismatch.words(miss.lacks())))
                .toList();
        return new BoundedList<>(named, misses - named.size());
    }
}
