package io.plat.http.lines;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * An append-only destination: stdout, a named pipe, a terminal. A partial line cannot be removed, so it is completed before any other line, unless the
 * stream was reopened for a new reader.
 */
final class LineStream implements LineSink {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final Opener opener;
    private final boolean reopened;
    private @Nullable WritableByteChannel channel;
    private ByteBuffer rest = NOTHING;

    /** Opens a stream; may block, for instance until a pipe has a reader. */
    @FunctionalInterface
    interface Opener {
        WritableByteChannel open() throws IOException;
    }

    /**
     * Creates a destination that is opened with the first line.
     *
     * @param reopened whether it is opened again after a failure, and closed at the end
     */
    LineStream(Opener opener, boolean reopened) {
        this.opener = opener;
        this.reopened = reopened;
    }

    /** Returns the process's stdout. */
    static LineStream stdout() {
        return new LineStream(() -> new FileOutputStream(FileDescriptor.out).getChannel(), false);
    }

    /** Returns whether a path exists and is not a regular file, such as a named pipe, which is opened once it has a reader. */
    static boolean isStream(Path path) {
        return Files.exists(path) && !Files.isRegularFile(path);
    }

    /** Returns the destination of an existing path that is not a regular file. */
    static LineStream to(Path path) {
        return new LineStream(() -> FileChannel.open(path, StandardOpenOption.WRITE), true);
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        WritableByteChannel to = channel;
        if (to == null) {
            to = opener.open();
            channel = to;
        }
        int begin = lines.position();
        try {
            writeAll(to, rest);
            writeAll(to, lines);
        } catch (IOException failed) {
            if (reopened) {
                closeAfter(failed);
            } else if (lines.position() > begin) {
                rest = restOfLine(lines);
            }
            throw failed;
        }
    }

    static void writeAll(WritableByteChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    private static ByteBuffer restOfLine(ByteBuffer lines) {
        int at = lines.position();
        if (lines.get(at - 1) == '\n') {
            return NOTHING;
        }
        int end = at;
        while (lines.get(end) != '\n') {
            end++;
        }
        byte[] rest = new byte[end + 1 - at];
        lines.get(at, rest);
        return ByteBuffer.wrap(rest);
    }

    private void closeAfter(IOException failed) {
        try {
            close();
        } catch (IOException onClose) {
            failed.addSuppressed(onClose);
        }
    }

    @Override
    public void close() throws IOException {
        WritableByteChannel open = channel;
        if (open != null && reopened) {
            channel = null;
            open.close();
        }
    }
}
