package io.plat.tls.pem;

import java.io.Serial;

/** Invalid PEM material. The message is one line for the operator: {@code file:line: problem}. */
public final class PemException extends Exception {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception for a line.
     *
     * @param source the file, or the name of an inline value
     * @param line the line, counted from 1; 0 for the whole source
     * @param problem the problem and the expected content, lower case, one line, without secrets
     */
    public PemException(String source, int line, String problem) {
        super((line > 0 ? source + ":" + line : source) + ": " + problem);
    }

    /** Creates an exception for the whole source. */
    public PemException(String source, String problem) {
        this(source, 0, problem);
    }
}
