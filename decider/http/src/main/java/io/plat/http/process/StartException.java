package io.plat.http.process;

import java.util.ArrayList;
import java.util.List;

/** Failure to start because of files or addresses of flags, with all problems. */
public final class StartException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    /**
     * Creates an exception with problems for the user.
     *
     * @param problems at least one; one line each, beginning with the flag, or with file and line
     */
    public StartException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("no problem to report");
        }
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one line each. */
    public List<String> problems() {
        return problems;
    }

    /** Collector of problems while parts are opened. Not thread-safe. */
    public static final class Collector {
        private final List<String> problems = new ArrayList<>();

        public void add(String problem) {
            problems.add(problem);
        }

        public void add(String flag, String problem) {
            problems.add(flag + ": " + problem);
        }

        /**
         * Throws if there are problems.
         *
         * @throws StartException with every problem added so far
         */
        public void throwIfAny() throws StartException {
            if (!problems.isEmpty()) {
                throw new StartException(problems);
            }
        }
    }
}
