package io.plat.tls.pem;

import java.io.Serial;

/** PEM material can't be used. The message is one line for the person who named the source: {@code file:line: problem}. */
public final class PemException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String source;
    private final int line;
    private final String problem;

    /**
     * A problem at a line.
     *
     * @param source the file, or the name of an inline value
     * @param line the line, counted from 1; 0 means the whole source
     * @param problem what is wrong and what was expected, lower case, one line, without secrets
     */
    public PemException(String source, int line, String problem) {
        super((line > 0 ? source + ":" + line : source) + ": " + problem);
        this.source = source;
        this.line = line;
        this.problem = problem;
    }

    /** A problem of the whole source. */
    public PemException(String source, String problem) {
        this(source, 0, problem);
    }

    /** The file, or the name of an inline value. */
    public String source() {
        return source;
    }

    /** The line, counted from 1; 0 means the whole source. */
    public int line() {
        return line;
    }

    /** What is wrong, without the place. */
    public String problem() {
        return problem;
    }
}
