package io.plat.apiserver.podlog;

import io.plat.apiserver.podlog.PodLogDirectory.Container;
import io.plat.apiserver.podlog.PodLogDirectory.Run;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Log of one container instance, as selected by a client. Rotated files come first. A follower reads new output until the container is
 * restarted or the pod ends; it sleeps between checks, which is cheap on a virtual thread.
 */
public final class PodLog {
    /** Size of a read, in bytes. */
    private static final int BUFFER_BYTES = 16 * 1024;

    private static final long POLL_MILLIS = 200;

    private final PodLogDirectory directory;
    private final Container container;
    private final Run run;
    private final LogOptions options;
    private final BooleanSupplier isActive;
    private final byte[] piece = new byte[BUFFER_BYTES];

    /**
     * @param run the container instance
     * @param isActive whether more output is possible; evaluated while following
     */
    public PodLog(
            PodLogDirectory directory, Container container, Run run, LogOptions options, BooleanSupplier isActive) {
        this.directory = directory;
        this.container = container;
        this.run = run;
        this.options = options;
        this.isActive = isActive;
    }

    /** Counter of lines, including an incomplete last one. */
    private static final class Count implements RuntimeLines.Lines {
        private long lines;
        private boolean open;

        @Override
        public void begin(Instant time, boolean error) {}

        @Override
        public void text(byte[] bytes, int from, int to) {}

        @Override
        public void end(boolean partial) {
            open = partial;
            lines += partial ? 0 : 1;
        }

        long lines() {
            return open ? lines + 1 : lines;
        }
    }

    /**
     * Writes the log; everything is flushed before it sleeps.
     *
     * @throws IOException if a file or the stream fails; {@link InterruptedIOException} when the client disconnects
     */
    public void writeTo(OutputStream out) throws IOException {
        List<Path> files = run.files();
        int first = 0;
        long skip = 0;
        if (options.tail() >= 0) {
            long lines = 0;
            first = files.size();
            while (first > 0 && (lines < options.tail() || first == files.size())) {
                lines += count(files.get(--first));
            }
            skip = Math.max(0, lines - options.tail());
        }
        var text = new LogText(options, skip, out);
        var lines = new RuntimeLines(text);
        for (Path file : files.subList(first, files.size() - 1)) {
            copy(file, lines, text);
        }
        if (options.follow()) {
            follow(lines, text, out);
        } else {
            copy(run.last(), lines, text);
        }
    }

    private long count(Path file) throws IOException {
        var count = new Count();
        var lines = new RuntimeLines(count);
        try (InputStream in = open(file)) {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                lines.read(piece, read);
            }
        }
        return count.lines();
    }

    private void copy(Path file, RuntimeLines lines, LogText text) throws IOException {
        try (InputStream in = open(file)) {
            drain(in, lines, text);
        } catch (NoSuchFileException | FileNotFoundException gone) {
            // It was compressed or removed since the directory was listed.
        }
    }

    private InputStream open(Path file) throws IOException {
        InputStream in = directory.read(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in, BUFFER_BYTES) : in;
    }

    /** Reads the available bytes; returns their number. */
    private long drain(InputStream in, RuntimeLines lines, LogText text) throws IOException {
        long all = 0;
        int read = in.read(piece);
        while (read > 0 && !text.full()) {
            all += read;
            lines.read(piece, read);
            read = in.read(piece);
        }
        return all;
    }

    private void follow(RuntimeLines lines, LogText text, OutputStream out) throws IOException {
        Path file = run.last();
        boolean more = true;
        while (more && !text.full()) {
            @Nullable Object key = key(file);
            try (InputStream in = directory.read(file)) {
                if (Objects.equals(key, key(file))) {
                    more = followOne(file, key, in, lines, text, out);
                }
            } catch (NoSuchFileException | FileNotFoundException rotated) {
                more = mayContinue();
                pause();
            }
        }
    }

    /** Follows a file until another one replaces it; returns whether there may be another. */
    private boolean followOne(
            Path file, @Nullable Object key, InputStream in, RuntimeLines lines, LogText text, OutputStream out)
            throws IOException {
        long position = 0;
        while (true) {
            boolean last = !mayContinue();
            @Nullable Object now = key(file);
            // Without a successor, the file is still written to, even under another name.
            boolean replaced = now != null && !now.equals(key);
            position += drain(in, lines, text);
            out.flush();
            if (last || text.full()) {
                return false;
            }
            if (replaced || size(file) < position) {
                return true;
            }
            pause();
        }
    }

    private boolean mayContinue() throws IOException {
        List<Run> now = directory.runs(container);
        return isActive.getAsBoolean() && (now.isEmpty() || now.getFirst().number() <= run.number());
    }

    private static @Nullable Object key(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        } catch (NoSuchFileException gone) {
            return null;
        }
    }

    private static long size(Path file) throws IOException {
        try {
            return Files.size(file);
        } catch (NoSuchFileException gone) {
            return Long.MAX_VALUE;
        }
    }

    private static void pause() throws InterruptedIOException {
        try {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the client has disconnected");
        }
    }

    /** Writer of selected lines, which joins partial ones. */
    private static final class LogText implements RuntimeLines.Lines {
        /** Fixed width, so that times are aligned. */
        private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSSSSS'Z'")
                .withZone(ZoneOffset.UTC);

        private final LogOptions options;
        private final OutputStream out;
        private long skip;
        private long remaining;
        private boolean desired;
        private boolean open;
        private boolean openError;

        /** @param skip number of lines to skip */
        LogText(LogOptions options, long skip, OutputStream out) {
            this.options = options;
            this.skip = skip;
            this.out = out;
            this.remaining = options.limit();
        }

        boolean full() {
            return remaining == 0;
        }

        @Override
        public void begin(Instant time, boolean error) throws IOException {
            desired = skip == 0 && options.selects(time, error);
            if (!desired) {
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
            if (desired) {
                write(bytes, from, to);
            }
        }

        @Override
        public void end(boolean partial) throws IOException {
            if (!partial && skip > 0) {
                skip--;
            } else if (!partial && desired) {
                newline();
            }
            desired = false;
        }

        private void newline() throws IOException {
            write(new byte[] {'\n'}, 0, 1);
            open = false;
        }

        private void write(byte[] bytes, int from, int to) throws IOException {
            int count = (int) Math.min(remaining, to - from);
            out.write(bytes, from, count);
            remaining -= count;
        }
    }
}
