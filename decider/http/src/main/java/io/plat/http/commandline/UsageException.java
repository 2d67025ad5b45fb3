package io.plat.http.commandline;

import java.util.List;

/** A wrong command line, with everything that is wrong about it. */
public final class UsageException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    UsageException(List<String> problems) {
        super(String.join("\n", problems), null, false, false);
        this.problems = List.copyOf(problems);
    }

    /** One line a problem. */
    public List<String> problems() {
        return problems;
    }
}
