package io.plat.apiserver.representation;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.memory.TreeSize;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;

/**
 * JSON indentation as in kube-apiserver. Indents the bytes as they pass, with a small buffer: nothing is parsed, and numbers and strings
 * stay as written. The input is JSON written by the server itself.
 */
public final class IndentedJson extends OutputStream {
    private static final int BUFFER = 8192;

    /** Size up to which an indented document stays small at any depth, in bytes. */
    private static final int SMALL = 4096;

    private final OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int filled;
    private int depth;

    /** True if an object or array was opened and is still empty. */
    private boolean opened;

    private boolean quoted;
    private boolean escaped;

    private IndentedJson(OutputStream out) {
        this.out = out;
    }

    public static byte[] of(byte[] json) {
        if (json.length > SMALL) {
            RequestMemory.current().charge(3 * (json.length + TreeSize.indentation(json)));
        }
        var indented = new ByteArrayOutputStream(json.length * 2);
        try {
            write(Body.of(json), indented);
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
        return indented.toByteArray();
    }

    static void write(Body json, OutputStream out) throws IOException {
        // Not finished on failure: the rest belongs to an aborted response.
        var indented = new IndentedJson(out);
        json.writeTo(indented);
        indented.drain();
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] json, int start, int length) throws IOException {
        int end = start + length;
        for (int i = start; i < end; i++) {
            if (quoted) {
                int from = i;
                i = endOfText(json, i, end);
                copy(json, from, Math.min(i + 1, end) - from);
            } else {
                token(json[i]);
            }
        }
    }

    /** Returns the position of the closing quote, or the end of the chunk. */
    private int endOfText(byte[] json, int start, int end) {
        for (int i = start; i < end; i++) {
            byte each = json[i];
            if (escaped) {
                escaped = false;
            } else if (each == '\\') {
                escaped = true;
            } else if (each == '"') {
                quoted = false;
                return i;
            }
        }
        return end;
    }

    private void token(byte token) throws IOException {
        switch (token) {
            case ' ', '\n', '\r', '\t' -> {}
            case ',' -> {
                put(token);
                line();
            }
            case ':' -> {
                put(token);
                put((byte) ' ');
            }
            case '}', ']' -> {
                depth--;
                if (!opened) {
                    line();
                }
                opened = false;
                put(token);
            }
            default -> value(token);
        }
    }

    private void value(byte token) throws IOException {
        if (opened) {
            line();
        }
        opened = token == '{' || token == '[';
        depth += opened ? 1 : 0;
        quoted = token == '"';
        put(token);
    }

    private void line() throws IOException {
        put((byte) '\n');
        for (int rest = 2 * depth; rest > 0; ) {
            if (filled == BUFFER) {
                drain();
            }
            int part = Math.min(rest, BUFFER - filled);
            Arrays.fill(buffer, filled, filled + part, (byte) ' ');
            filled += part;
            rest -= part;
        }
    }

    private void put(byte each) throws IOException {
        if (filled == BUFFER) {
            drain();
        }
        buffer[filled++] = each;
    }

    private void copy(byte[] text, int start, int length) throws IOException {
        if (length > BUFFER - filled) {
            drain();
        }
        if (length > BUFFER) {
            out.write(text, start, length);
        } else {
            System.arraycopy(text, start, buffer, filled, length);
            filled += length;
        }
    }

    private void drain() throws IOException {
        out.write(buffer, 0, filled);
        filled = 0;
    }
}
