package io.plat.engine.rbac.manifest;

import io.plat.review.source.ByteWords;
import io.plat.review.source.SourceReader;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * The lines of block-style YAML: {@code key:}, {@code key: word}, {@code word}, each perhaps behind one hyphen, and {@code key: |} with the
 * lines of its text. Blank lines and lines of comment are passed over. For one thread.
 */
final class PlainLines implements PlainShape.Values {
    /** Words that are no strings in some version of YAML. */
    private static final Set<String> NO_STRINGS =
            Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n", "nan", "inf");

    private static final int LONGEST_NO_STRING = 5;

    /** A line holds three values at most. */
    private static final int MOST_LINES = SourceReader.MAX_VALUES / 3;

    private static final byte LETTER = 1;
    private static final byte WITHIN = 2;
    private static final byte[] KINDS = kinds();

    /** What stands behind a key, or alone in an item. */
    private enum Value {
        NONE,
        /** A string. */
        WORD,
        /** A string, a number or a time. */
        TOKEN,
        /** A literal: lines of text, which nobody needs. */
        TEXT
    }

    private final byte[] text;
    private final int end;
    private final ByteWords words;
    private int at;
    private int nextLine;

    /** How many lines were read. */
    private int lines;

    private int documentFrom;
    private int documentLine;

    private int line;
    private int lineFrom;
    private int valueFrom;
    private int valueTo;
    private int textLines;
    private String valueRead = "";
    private boolean over;
    private int dash;
    private int column;
    private String key = "";
    private String value = "";
    private Value kind = Value.NONE;

    PlainLines(byte[] text, int from, int to, int line, ByteWords words) {
        this.text = text;
        this.at = from;
        this.end = to;
        this.nextLine = line;
        this.words = words;
    }

    private static byte[] kinds() {
        byte[] kinds = new byte[128];
        for (int c = 0; c < kinds.length; c++) {
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '/';
            boolean within = (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_' || c == '@' || c == '*';
            kinds[c] = letter ? LETTER : within ? WITHIN : 0;
        }
        return kinds;
    }

    /** Goes to the beginning of the next document; false behind the last. */
    boolean nextDocument() {
        documentFrom = at;
        documentLine = nextLine;
        if (at == end) {
            return false;
        }
        if (isMarker(at)) {
            at += 3;
            if (at < end && text[at] == '\n') {
                at++;
                nextLine++;
            }
            // Anything else behind the marker is no line as they are read here.
        }
        return true;
    }

    /** Goes from anywhere in a document to its end; false where a directive stands in it, which holds for the next one. */
    boolean skipDocument() {
        at = documentFrom;
        nextLine = documentLine;
        boolean first = true;
        while (at < end) {
            if (text[at] == '%' || (!first && isMarker(at))) {
                return text[at] != '%';
            }
            first = false;
            while (at < end && text[at] != '\n') {
                at++;
            }
            if (at < end) {
                at++;
                nextLine++;
            }
        }
        return true;
    }

    private boolean isMarker(int from) {
        return from + 2 < end
                && text[from] == '-'
                && text[from + 1] == '-'
                && text[from + 2] == '-'
                && (from + 3 == end || isSpace(text[from + 3]));
    }

    private static boolean isSpace(byte c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    /** Goes to the next line; false where it is not of a kind that is read here. */
    boolean advance() {
        while (at < end) {
            if (isMarker(at)) {
                break;
            }
            int start = at;
            int from = spaces(start);
            byte c = from < end ? text[from] : (byte) '\n';
            if (c == '\n') {
                passed(from);
            } else if (c == '#') {
                from = lineEnd(from);
                if (from < 0) {
                    return false;
                }
                passed(from);
            } else {
                return line(start, from);
            }
        }
        over = true;
        dash = -1;
        return true;
    }

    private int spaces(int from) {
        int to = from;
        while (to < end && text[to] == ' ') {
            to++;
        }
        return to;
    }

    /** The end of a line of comment or text, negative where it holds what may not stand there, or nobody can tell here. */
    private int lineEnd(int from) {
        int to = from;
        while (to < end && text[to] != '\n') {
            if (text[to] < ' ' || text[to] == 0x7f) {
                return -1;
            }
            to++;
        }
        return to;
    }

    private void passed(int newline) {
        at = Math.min(newline + 1, end);
        if (newline < end) {
            nextLine++;
        }
    }

    private boolean line(int start, int first) {
        if (++lines > MOST_LINES) {
            return false;
        }
        int from = first;
        line = nextLine;
        lineFrom = start;
        over = false;
        dash = -1;
        if (text[from] == '-') {
            int behind = spaces(from + 1);
            if (behind == from + 1 || behind == end) {
                return false;
            }
            dash = from - start;
            from = behind;
        }
        column = from - start;
        key = "";
        value = "";
        kind = Value.NONE;
        int to = word(from, true);
        if (to > 0 && !key.isEmpty() && to < end && text[to] != '\n') {
            int behind = spaces(to);
            valueFrom = behind;
            if (behind == to || behind == end) {
                return false;
            }
            to = text[behind] == '|' ? literal(behind + 1) : word(behind, false);
            valueTo = to;
        }
        if (to < 0 || (to < end && text[to] != '\n')) {
            return false;
        }
        passed(to);
        return true;
    }

    /** Reads a key with its colon, or a value; where it ends, negative where it is neither. */
    private int word(int from, boolean mayBeKey) {
        if (from >= end) {
            return -1;
        }
        byte first = text[from];
        if (first == '"' || first == '\'') {
            return quoted(from + 1, first);
        }
        byte sort = first < 0 ? 0 : KINDS[first];
        boolean digit = first >= '0' && first <= '9';
        if (sort != LETTER && !digit) {
            return -1;
        }
        int hash = 0;
        int to = from;
        while (to < end && text[to] >= 0) {
            byte c = text[to];
            if (c == ':') {
                if (to + 1 == end || text[to + 1] == ' ' || text[to + 1] == '\n') {
                    if (!mayBeKey || digit) {
                        return -1;
                    }
                    key = words.word(text, from, to, hash);
                    return isString(key) ? to + 1 : -1;
                }
            } else if (KINDS[c] == 0) {
                break;
            }
            hash = ByteWords.hash(hash, c);
            to++;
        }
        value = words.word(text, from, to, hash);
        kind = digit ? Value.TOKEN : Value.WORD;
        return digit || isString(value) ? to : -1;
    }

    /**
     * Passes over the lines of a literal (YAML 1.2, 8.1.2), which stand deeper than its key; where the last of them ends, negative where one
     * of them says more than it seems to. The value is the first.
     */
    private int literal(int header) {
        int to = header < end && (text[header] == '-' || text[header] == '+') ? header + 1 : header;
        if (to == end || text[to] != '\n') {
            return -1;
        }
        kind = Value.TEXT;
        textLines = 0;
        valueFrom = to;
        int indent = -1;
        int blank = 0;
        int next = to + 1;
        while (next < end) {
            int first = spaces(next);
            if (first == end || text[first] == '\n') {
                if (indent < 0 || first - next > indent) {
                    // Blanks may be part of the text, and those before it tell where it begins.
                    return -1;
                }
                blank++;
                next = first + 1;
                continue;
            }
            if (first - next <= column) {
                break;
            }
            if (indent >= 0 && first - next < indent) {
                return -1;
            }
            if (indent < 0) {
                indent = first - next;
                valueFrom = first;
            }
            to = lineEnd(first);
            if (to < 0) {
                return -1;
            }
            textLines += blank + 1;
            blank = 0;
            next = to + 1;
        }
        nextLine += textLines;
        return to;
    }

    /** Whether the value is a literal. */
    boolean isText() {
        return kind == Value.TEXT;
    }

    /** Whether the value is a literal of one line. */
    boolean isLine() {
        return kind == Value.TEXT && textLines == 1;
    }

    @Override
    public int lineAt(int from) {
        return from < end && text[from] > ' ' ? lineEnd(from) : -1;
    }

    private int quoted(int from, byte quote) {
        int hash = 0;
        int to = from;
        while (to < end && text[to] != quote) {
            if (text[to] < ' ' || text[to] == '\\' || text[to] == 0x7f) {
                return -1;
            }
            hash = ByteWords.hash(hash, text[to]);
            to++;
        }
        if (to == end) {
            return -1;
        }
        value = words.word(text, from, to, hash);
        kind = Value.WORD;
        return to + 1;
    }

    private static boolean isString(String word) {
        return word.length() > LONGEST_NO_STRING || !NO_STRINGS.contains(word.toLowerCase(Locale.ROOT));
    }

    /** Whether the current line is a field at a column, as the first of a mapping perhaps behind a hyphen. */
    boolean isField(int wanted, boolean first) {
        return !over && column == wanted && (first || dash < 0);
    }

    /** Whether the current line begins an item whose hyphen stands at a column. */
    boolean isItem(int wanted) {
        return !over && dash == wanted;
    }

    /** Whether the document has no further line. */
    boolean over() {
        return over;
    }

    /** Where the hyphen of an item stands, counted from 0; negative where there is none. */
    int dash() {
        return dash;
    }

    /** Where the line's key or word begins, counted from 0. */
    int column() {
        return column;
    }

    /** The number of the current line. */
    int line() {
        return over ? nextLine : line;
    }

    /** The number of the line that comes next. */
    int nextLine() {
        return nextLine;
    }

    /** The key, {@code ""} where there is none. */
    String key() {
        return key;
    }

    /** The value, {@code ""} where there is none. */
    String value() {
        return value;
    }

    /** Whether there is a value. */
    boolean hasValue() {
        return kind != Value.NONE;
    }

    /** Whether there is a value that is a string. */
    boolean isWord() {
        return kind == Value.WORD;
    }

    /** Where the current line begins; behind the last one, where that ends. */
    int lineFrom() {
        return over ? at : lineFrom;
    }

    /** Where the value behind the key begins. */
    int valueFrom() {
        return valueFrom;
    }

    /** Where the value behind the key ends. */
    int valueTo() {
        return valueTo;
    }

    /** How many lines were read, those without content left out. */
    int counted() {
        return over ? lines : lines - 1;
    }

    @Override
    public int valueAt(int from, boolean string) {
        String before = value;
        Value kindBefore = kind;
        int to = word(from, false);
        boolean fits = to >= 0 && (!string || kind == Value.WORD);
        valueRead = value;
        value = before;
        kind = kindBefore;
        return fits ? to : -1;
    }

    @Override
    public String valueRead() {
        return valueRead;
    }

    /** Whether an object that began with the current line may end at a place: another begins there in the same way, or nothing does. */
    boolean mayEnd(int place) {
        if (dash < 0) {
            return place == end || isMarker(place);
        }
        int indent = column;
        return Arrays.equals(text, lineFrom, lineFrom + indent, text, place, Math.min(place + indent, end));
    }

    /** Goes on behind an object that began with the current line and was read otherwise; false as with {@link #advance}. */
    boolean advanceBehind(PlainShape.Extent extent, int to) {
        lines += extent.counted() - 1;
        nextLine = line + extent.lines();
        at = to;
        return lines <= MOST_LINES && advance();
    }

    /** Where the text ends. */
    int end() {
        return end;
    }

    /** Where the current document begins. */
    int documentFrom() {
        return documentFrom;
    }

    /** The number of the line in which the current document begins. */
    int documentLine() {
        return documentLine;
    }

    /** Where the next line begins. */
    int at() {
        return at;
    }
}
