package io.plat.review.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Suggestions for misspelled names. */
public final class NearestName {
    private static final int MAX_LENGTH = 64;

    private NearestName() {}

    /** Returns {@code , did you mean "x"?}, or {@code ""} if no candidate is similar. */
    public static String suggestion(String name, Collection<String> candidates) {
        return nearest(Math.max(1, name.length() / 3), name, candidates)
                .map(candidate -> ", did you mean " + Quoted.of(candidate) + "?")
                .orElse("");
    }

    /** Returns the nearest candidate within a number of edits, which must leave more than half of the name unchanged. */
    public static Optional<String> within(int edits, String name, Collection<String> candidates) {
        return nearest(Math.min(edits, (name.length() - 1) / 2), name, candidates);
    }

    private static Optional<String> nearest(int edits, String name, Collection<String> candidates) {
        if (name.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String folded = name.toLowerCase(Locale.ROOT);
        return candidates.stream()
                .filter(candidate -> distance(folded, candidate.toLowerCase(Locale.ROOT)) <= edits)
                .min(Comparator.<String>comparingInt(candidate -> distance(folded, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Returns the number of single characters to insert, remove, replace or swap with the next one. */
    public static int distance(String from, String to) {
        int[] beforePrevious = new int[0];
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
                }
            }
            beforePrevious = previous;
            previous = current;
        }
        return previous[to.length()];
    }
}
