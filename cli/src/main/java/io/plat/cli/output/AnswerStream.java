package io.plat.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Output stream that records its failure, which writers above it swallow: a script must not see success if "yes" could not be written to a full disk.
 */
public final class AnswerStream extends OutputStream {
    private final OutputStream out;
    private @Nullable IOException failure;

    /** Wraps a stream. */
    public AnswerStream(OutputStream out) {
        this.out = out;
    }

    /** Returns the failure of a write, if any. */
    public Optional<IOException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            failure = e;
            throw e;
        }
    }
}
