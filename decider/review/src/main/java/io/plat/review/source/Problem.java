package io.plat.review.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A problem in a user's file.
 *
 * @param where file and line
 * @param message the problem and the expected value: one line, lower case, user input quoted
 */
public record Problem(Location where, String message) {
    /** Number of problems of one file that a report shows. */
    private static final int SHOWN = 10;

    /** Returns the lines of a report: the first ten problems of each file, and the number of the others. */
    public static List<String> report(List<Problem> problems) {
        List<String> lines = new ArrayList<>();
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Problem problem : problems) {
            if (counts.merge(problem.where().file(), 1, Integer::sum) <= SHOWN) {
                lines.add(problem.toString());
            }
        }
        counts.entrySet().removeIf(file -> file.getValue() <= SHOWN);
        counts.forEach((file, count) ->
                lines.add(file + ": " + (count - SHOWN) + " more problem" + (count - SHOWN == 1 ? "" : "s")));
        return lines;
    }

    /** Returns the problem as one line of an error report. */
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
