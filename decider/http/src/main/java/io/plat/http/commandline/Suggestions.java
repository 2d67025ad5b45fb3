package io.plat.http.commandline;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggestions for an unknown name. */
final class Suggestions {
    private Suggestions() {}

    /** The known name that is closest, if one is close enough to be meant. */
    static Optional<String> closest(String typed, Collection<String> known) {
        int bound = Math.max(2, typed.length() / 4);
        return known.stream()
                .filter(name -> distance(typed, name) <= bound)
                .min(Comparator.comparingInt((String name) -> distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** The number of letters to add, drop, replace or swap with a neighbour. */
    static int distance(String one, String other) {
        int[][] cost = new int[one.length() + 1][other.length() + 1];
        for (int i = 0; i <= one.length(); i++) {
            cost[i][0] = i;
        }
        for (int j = 0; j <= other.length(); j++) {
            cost[0][j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            for (int j = 1; j <= other.length(); j++) {
                boolean same = one.charAt(i - 1) == other.charAt(j - 1);
                int best = Math.min(cost[i - 1][j - 1] + (same ? 0 : 1), Math.min(cost[i - 1][j], cost[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && one.charAt(i - 1) == other.charAt(j - 2)
                        && one.charAt(i - 2) == other.charAt(j - 1)) {
                    best = Math.min(best, cost[i - 2][j - 2] + 1);
                }
                cost[i][j] = best;
            }
        }
        return cost[one.length()][other.length()];
    }
}
