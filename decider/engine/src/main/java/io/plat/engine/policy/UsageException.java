package io.plat.engine.policy;

import java.util.List;

/** An invalid command line, with all problems. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /**
     * Creates an exception with problems for the user.
     *
     * @param problems at least one
     */
    public UsageException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem to report");
        }
        this.problems = List.copyOf(problems);
    }

    /** Returns all problems: the flag with its dashes, the problem and the expected value, in one line with user input quoted. */
    public List<String> problems() {
        return problems;
    }
}
