package io.plat.engine.policy;

import java.util.List;
import java.util.stream.Collectors;

/** A command line that can't be right. Carries every problem. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<UsageProblem> problems;

    /**
     * Problems that are the user's to read.
     *
     * @param problems at least one
     */
    public UsageException(List<UsageProblem> problems) {
        super(problems.stream().map(UsageProblem::toString).collect(Collectors.joining("\n")), null, false, false);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem to report");
        }
        this.problems = List.copyOf(problems);
    }

    /** Every problem. */
    public List<UsageProblem> problems() {
        return problems;
    }
}
