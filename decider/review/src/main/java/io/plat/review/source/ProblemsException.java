package io.plat.review.source;

import java.util.List;
import java.util.stream.Collectors;

/** Problems of a user's file: all of them, not only the first one. */
public final class ProblemsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /**
     * Creates an exception with problems for the user.
     *
     * @param problems at least one
     */
    public ProblemsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")), null, false, false);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem to report");
        }
        this.problems = List.copyOf(problems);
    }

    public ProblemsException(Problem problem) {
        this(List.of(problem));
    }

    /** Returns every problem, in the order of the file. */
    public List<Problem> problems() {
        return problems;
    }
}
