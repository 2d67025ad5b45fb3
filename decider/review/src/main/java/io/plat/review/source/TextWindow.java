package io.plat.review.source;

import java.io.Reader;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.ReaderException;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * Character source of SnakeYAML's scanner. The library's own reader copies its look-ahead buffer for each 1,024 characters: a word of a megabyte
 * takes a second. This one accesses the text in place.
 */
final class TextWindow extends StreamReader {
    private static final String NAME = "'string'";
    private static final int[] NO_SNIPPET = {};

    private final String text;
    /** The code points of the text; null if each {@code char} is one. */
    private final int @Nullable [] points;

    private final int length;
    /** The position of the first character that YAML does not allow, or the length of the text. */
    private final int end;

    private int position;
    private int documentPosition;
    private int line;
    private int column;

    TextWindow(String text) {
        super(Reader.nullReader());
        this.text = text;
        boolean plain = text.chars().noneMatch(c -> Character.isSurrogate((char) c));
        this.points = plain ? null : text.codePoints().toArray();
        this.length = points == null ? text.length() : points.length;
        int printable = 0;
        while (printable < length && isPrintable(at(printable))) {
            printable++;
        }
        this.end = printable;
    }

    private int at(int index) {
        return points == null ? text.charAt(index) : points[index];
    }

    private boolean has(int index) {
        if (position + index < end) {
            return true;
        }
        if (end < length) {
            throw new ReaderException(NAME, end, at(end), "special characters are not allowed");
        }
        return false;
    }

    @Override
    public Mark getMark() {
        return new Mark(NAME, position, line, column, NO_SNIPPET, 0);
    }

    @Override
    public void forward() {
        forward(1);
    }

    @Override
    public void forward(int count) {
        for (int i = 0; i < count && has(0); i++) {
            int c = at(position);
            move(1);
            if (isLineBreak(c) || (c == '\r' && has(0) && at(position) != '\n')) {
                line++;
                column = 0;
            } else if (c != '\uFEFF') {
                column++;
            }
        }
    }

    private static boolean isLineBreak(int c) {
        return c == '\n' || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    private void move(int count) {
        position += count;
        documentPosition += count;
    }

    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int index) {
        return has(index) ? at(position + index) : '\0';
    }

    @Override
    public String prefix(int count) {
        int available = count == 0 || has(count) ? count : Math.min(count, end - position);
        return points == null
                ? text.substring(position, position + available)
                : new String(points, position, available);
    }

    @Override
    public String prefixForward(int count) {
        String prefix = prefix(count);
        move(count);
        column += count;
        return prefix;
    }

    @Override
    public int getColumn() {
        return column;
    }

    @Override
    public int getLine() {
        return line;
    }

    @Override
    public int getIndex() {
        return position;
    }

    @Override
    public int getDocumentIndex() {
        return documentPosition;
    }

    @Override
    public void resetDocumentIndex() {
        documentPosition = 0;
    }
}
