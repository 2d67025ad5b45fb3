package io.plat.review.source;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A problem in a user's file.
 *
 * @param where file and line
 * @param message the problem and the expected value: one line, lower case, user input quoted
 */
public record Problem(Location where, String message) {
    /** Number of problems of one file that a report shows. */
    private static final int SHOWN = 10;

    public Problem {
        Objects.requireNonNull(where);
        Objects.requireNonNull(message);
    }

    /** Returns the lines of a report: the first ten problems of each file, and their number if there are more. */
    public static List<String> report(List<Problem> problems) {
        Map<String, List<Problem>> byFile = problems.stream()
                .collect(Collectors.groupingBy(
                        problem -> problem.where().file(), LinkedHashMap::new, Collectors.toList()));
        return byFile.entrySet().stream()
                .flatMap(file -> {
                    List<Problem> all = file.getValue();
                    Stream<String> shown = all.stream().limit(SHOWN).map(Problem::toString);
                    return all.size() <= SHOWN
                            ? shown
                            : Stream.concat(
                                    shown, Stream.of(file.getKey() + ": " + (all.size() - SHOWN) + " more problems"));
                })
                .toList();
    }

    /** The problem as one line of an error report. */
    @Override
    public String toString() {
        return where + ": " + message;
    }
}
