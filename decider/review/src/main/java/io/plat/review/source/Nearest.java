package io.plat.review.source;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Guesses which name was meant by a misspelled one. */
public final class Nearest {
    private static final int LONGEST = 64;

    private Nearest() {}

    /** {@code , did you mean "x"?}, or {@code ""} where no candidate is near. */
    public static String suggestion(String name, Collection<String> candidates) {
        if (name.length() > LONGEST) {
            return "";
        }
        String folded = name.toLowerCase(Locale.ROOT);
        int near = Math.max(1, name.length() / 3);
        return candidates.stream()
                .filter(candidate -> distance(folded, candidate.toLowerCase(Locale.ROOT)) <= near)
                .min(Comparator.<String>comparingInt(candidate -> distance(folded, candidate.toLowerCase(Locale.ROOT)))
                        .thenComparing(Comparator.naturalOrder()))
                .map(candidate -> ", did you mean " + Quoted.of(candidate) + "?")
                .orElse("");
    }

    /** How many single characters have to be inserted, removed or replaced. */
    static int distance(String from, String to) {
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
            }
            previous = current;
        }
        return previous[to.length()];
    }
}
