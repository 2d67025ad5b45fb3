package io.plat.apiserver.podlog;

import io.plat.apiserver.timestamp.Timestamps;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * Parser of container runtime log lines, {@code 2016-10-06T00:17:09.669794202Z stdout F text}, from arbitrary chunks. Malformed lines are
 * skipped. Not thread-safe.
 */
final class RuntimeLines {
    /** Maximum length of time, stream and tags, in bytes. */
    private static final int MAX_HEAD_BYTES = 128;

    interface Lines {
        /**
         * Starts a line, or part of one.
         *
         * @param error whether it was written to standard error
         */
        void begin(Instant time, boolean error) throws IOException;

        void text(byte[] bytes, int from, int to) throws IOException;

        /**
         * Ends the line.
         *
         * @param partial whether the next line of the same stream continues it
         */
        void end(boolean partial) throws IOException;
    }

    private enum Position {
        HEAD,
        TEXT,
        SKIPPED
    }

    private final Lines lines;
    private final byte[] head = new byte[MAX_HEAD_BYTES];
    private int length;
    private int blanks;
    private boolean partial;
    private Position position = Position.HEAD;

    RuntimeLines(Lines lines) {
        this.lines = lines;
    }

    void read(byte[] bytes, int count) throws IOException {
        int i = 0;
        while (i < count) {
            if (position == Position.HEAD) {
                head(bytes[i]);
                i++;
                continue;
            }
            int end = i;
            while (end < count && bytes[end] != '\n') {
                end++;
            }
            if (position == Position.TEXT && end > i) {
                lines.text(bytes, i, end);
            }
            if (end < count) {
                endLine();
                end++;
            }
            i = end;
        }
    }

    private void head(byte b) throws IOException {
        if (b == '\n') {
            // A line without text may end after its tags.
            if (blanks == 2) {
                begin();
            }
            endLine();
        } else if (b == ' ' && ++blanks == 3) {
            begin();
        } else if (length == MAX_HEAD_BYTES) {
            position = Position.SKIPPED;
        } else {
            head[length++] = b;
        }
    }

    private void begin() throws IOException {
        String[] words = new String(head, 0, length, StandardCharsets.UTF_8).split(" ", -1);
        Optional<Instant> time = Timestamps.parse(words[0]);
        String tag = words[2].split(":", -1)[0];
        boolean knownStream = words[1].equals("stdout") || words[1].equals("stderr");
        if (time.isEmpty() || !knownStream || !(tag.equals("F") || tag.equals("P"))) {
            position = Position.SKIPPED;
            return;
        }
        partial = tag.equals("P");
        position = Position.TEXT;
        lines.begin(time.get(), words[1].equals("stderr"));
    }

    private void endLine() throws IOException {
        boolean started = position == Position.TEXT;
        position = Position.HEAD;
        length = 0;
        blanks = 0;
        if (started) {
            lines.end(partial);
        }
    }
}
