package io.plat.http.commandline;

import java.util.List;

/** An invalid command line, with all problems. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    UsageException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** Returns the problems, one line each. */
    public List<String> problems() {
        return problems;
    }
}
