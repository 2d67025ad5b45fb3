package io.plat.cli.output;

import io.plat.review.source.Quoted;
import java.io.FilterWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The only writer to the program's output. Control characters that a command prints are written as escapes, except for line feeds, tabs, the
 * colours of this program, and the carriage return at the start of a line of progress. A failure is recorded, as writers above swallow it: a script
 * must not see success if "yes" could not be written to a full disk.
 */
public final class TerminalWriter extends FilterWriter {
    private static final char ESCAPE = '\u001b';
    private static final int MAX_SEQUENCE = 5;

    private final Set<String> colours;
    private @Nullable IOException failure;

    /**
     * Creates a writer to a stream.
     *
     * @param colour whether colours are enabled; if not, they are escaped like other control characters
     */
    public TerminalWriter(OutputStream out, boolean colour) {
        super(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        this.colours = colour ? Colour.sequences() : Set.of();
    }

    /** Returns the failure of a write, if any. */
    public Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(String text, int offset, int length) throws IOException {
        try {
            writeVisible(text.substring(offset, offset + length));
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            super.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    private void writeVisible(String all) throws IOException {
        int done = all.startsWith("\r") ? 1 : 0;
        out.write(all, 0, done);
        for (int at = all.indexOf(ESCAPE); at >= 0; at = all.indexOf(ESCAPE, at + 1)) {
            int end = Math.min(at + MAX_SEQUENCE, all.length());
            while (end > at && !colours.contains(all.substring(at, end))) {
                end--;
            }
            if (end > at) {
                out.write(Quoted.visible(all.substring(done, at)));
                out.write(all, at, end - at);
                done = end;
            }
        }
        out.write(Quoted.visible(all.substring(done)));
    }

    @Override
    public void write(char[] text, int offset, int length) throws IOException {
        write(String.valueOf(text, offset, length));
    }

    @Override
    public void write(int c) throws IOException {
        write(String.valueOf((char) c));
    }
}
