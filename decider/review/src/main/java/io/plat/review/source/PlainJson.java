package io.plat.review.source;

import java.util.HashSet;
import java.util.Set;

/**
 * Reads JSON as programs write it: strings of printable ASCII without escapes, objects, lists. Whoever meets {@link #OTHER} leaves the
 * text to {@link SourceReader}, so that nothing is ever refused here. Policies of a hundred thousand objects are read so in a
 * fraction of the time. Used once, by one thread.
 */
public final class PlainJson {
    /** Behind the last value. */
    public static final int END = 0;

    /** Anything that is not read here, right or wrong. */
    public static final int OTHER = -1;

    /** A string: {@link #text} has it. */
    public static final int STRING = '"';

    /** A number, a boolean or null: {@link #text} has it as written. */
    public static final int LITERAL = '0';

    private static final int DEEPEST = 16;

    private final byte[] bytes;
    private final int end;
    private final ByteWords words;
    private int at;
    private int line;
    private int values;
    private int tokenFrom;
    private String text = "";

    /**
     * A reader of a part of some bytes.
     *
     * @param line the number of the line that the part begins in
     */
    public PlainJson(byte[] bytes, int from, int to, int line, ByteWords words) {
        this.bytes = bytes;
        this.at = from;
        this.end = to;
        this.line = line;
        this.words = words;
    }

    /** Reads one member of an object. */
    @FunctionalInterface
    public interface Member {
        /**
         * Reads a member's value.
         *
         * @param first the token that it begins with
         * @return false where it is not read here
         */
        boolean read(String name, int first);
    }

    /** Reads one value of a list, as {@link Member} does. */
    @FunctionalInterface
    public interface Item {
        /**
         * Reads a value.
         *
         * @param first the token that it begins with
         * @return false where it is not read here
         */
        boolean read(int first);
    }

    /** The line of the last token, counted from 1. */
    public int line() {
        return line;
    }

    /** The last string or literal. */
    public String text() {
        return text;
    }

    /** The next token: one of the constants, or the character that it is. */
    public int next() {
        while (at < end) {
            byte c = bytes[at++];
            switch (c) {
                case '\n' -> line++;
                case ' ', '\r', '\t' -> {}
                case '{', '[' -> {
                    return ++values > SourceReader.MAX_VALUES ? OTHER : c;
                }
                case '}', ']', ':', ',' -> {
                    return c;
                }
                case '"' -> {
                    return string();
                }
                default -> {
                    at--;
                    return literal();
                }
            }
        }
        return END;
    }

    /** Where the next token is looked for. */
    public int at() {
        return at;
    }

    /** Where the last string begins, with its quote. */
    public int tokenFrom() {
        return tokenFrom;
    }

    /** How many values were read. */
    public int counted() {
        return values;
    }

    /**
     * Reads a string that stands somewhere else, which does not count as read.
     *
     * @param from where its quote stands
     * @return where it ends, negative where there is none that is read here; {@link #text} has it
     */
    public int stringAt(int from) {
        if (from >= end || bytes[from] != '"') {
            return -1;
        }
        int before = at;
        int counted = values;
        at = from + 1;
        int token = string();
        int to = at;
        at = before;
        values = counted;
        return token == STRING ? to : -1;
    }

    /**
     * Goes on behind what was read otherwise.
     *
     * @param to where to go on
     * @param lines how many line ends were passed
     * @param counted how many values
     * @return false where those are more than are read
     */
    public boolean goOn(int to, int lines, int counted) {
        at = to;
        line += lines;
        values += counted;
        return values <= SourceReader.MAX_VALUES;
    }

    private int string() {
        int from = at;
        tokenFrom = at - 1;
        int hash = 0;
        while (at < end) {
            byte c = bytes[at];
            if (c == '"') {
                text = words.word(bytes, from, at, hash);
                at++;
                return ++values > SourceReader.MAX_VALUES ? OTHER : STRING;
            }
            if (c < ' ' || c == '\\' || c == 0x7f) {
                return OTHER; // What is not ASCII is negative.
            }
            hash = ByteWords.hash(hash, c);
            at++;
        }
        return OTHER;
    }

    private int literal() {
        int from = at;
        int hash = 0;
        while (at < end && isLiteral(bytes[at])) {
            hash = ByteWords.hash(hash, bytes[at]);
            at++;
        }
        text = words.word(bytes, from, at, hash);
        return switch (text) {
            case "true", "false", "null", "0" -> LITERAL;
            default -> isWhole() ? LITERAL : OTHER;
        };
    }

    private static boolean isLiteral(byte c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }

    private boolean isWhole() {
        if (text.isEmpty() || text.length() > 18 || text.charAt(0) < '1' || text.charAt(0) > '9') {
            return false;
        }
        return text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /**
     * Reads the members of an object whose brace was read. Who reads them looks for names that stand twice.
     *
     * @return false where it is not read here
     */
    public boolean members(Member member) {
        int token = next();
        if (token == '}') {
            return true;
        }
        while (token == STRING) {
            String name = text;
            if (next() != ':' || !member.read(name, next())) {
                return false;
            }
            token = next();
            if (token == '}') {
                return true;
            }
            token = token == ',' ? next() : OTHER;
        }
        return false;
    }

    /**
     * Reads the values of a list whose bracket was read.
     *
     * @return false where it is not read here
     */
    public boolean items(Item item) {
        int token = next();
        if (token == ']') {
            return true;
        }
        while (item.read(token)) {
            token = next();
            if (token == ']') {
                return true;
            }
            if (token != ',') {
                return false;
            }
            token = next();
        }
        return false;
    }

    /**
     * Reads over a value that nobody looks at.
     *
     * @param first the token that it begins with
     * @return false where it is not read here
     */
    public boolean skip(int first) {
        return skip(first, 0);
    }

    private boolean skip(int first, int depth) {
        if (depth > DEEPEST) {
            return false;
        }
        return switch (first) {
            case STRING, LITERAL -> true;
            case '{' -> {
                Set<String> names = new HashSet<>();
                yield members((name, token) -> names.add(name) && skip(token, depth + 1));
            }
            case '[' -> items(token -> skip(token, depth + 1));
            default -> false;
        };
    }
}
