package io.plat.apiserver.podlog;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes selected lines, joining partial ones. */
final class LogText implements RuntimeLines.Lines {
    /** Fixed width, so that times are aligned. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final LogOptions options;
    private final OutputStream out;
    private long skip;
    private long left;
    private boolean wanted;
    private boolean open;
    private boolean openError;

    /** @param skip number of lines to skip */
    LogText(LogOptions options, long skip, OutputStream out) {
        this.options = options;
        this.skip = skip;
        this.out = out;
        this.left = options.limit();
    }

    /** Returns whether the limit is reached. */
    boolean full() {
        return left == 0;
    }

    @Override
    public void begin(Instant time, boolean error) throws IOException {
        wanted = skip == 0 && options.wants(time, error);
        if (!wanted) {
            return;
        }
        if (open && openError != error) {
            // A line of the other stream has begun within this one.
            newline();
        }
        if (!open && options.timestamps()) {
            byte[] prefix = (TIME.format(time) + " ").getBytes(StandardCharsets.US_ASCII);
            write(prefix, 0, prefix.length);
        }
        open = true;
        openError = error;
    }

    @Override
    public void text(byte[] bytes, int from, int to) throws IOException {
        if (wanted) {
            write(bytes, from, to);
        }
    }

    @Override
    public void end(boolean partial) throws IOException {
        if (!partial && skip > 0) {
            skip--;
        } else if (!partial && wanted) {
            newline();
        }
        wanted = false;
    }

    private void newline() throws IOException {
        write(new byte[] {'\n'}, 0, 1);
        open = false;
    }

    private void write(byte[] bytes, int from, int to) throws IOException {
        int count = (int) Math.min(left, to - from);
        out.write(bytes, from, count);
        left -= count;
    }
}
