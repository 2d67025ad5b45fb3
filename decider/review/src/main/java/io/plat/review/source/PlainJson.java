package io.plat.review.source;

/**
 * Reads JSON as programs write it: strings of printable ASCII without escapes, objects. Whoever meets {@link #OTHER} leaves the
 * text to {@link SourceReader}, so that nothing is ever refused here. Policies of a hundred thousand lines are read so in a
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

    private final byte[] bytes;
    private final int end;
    private final ByteWords words;
    private int at;
    private int values;
    private String text = "";

    /** A reader of some bytes. */
    public PlainJson(byte[] bytes, ByteWords words) {
        this.bytes = bytes;
        this.end = bytes.length;
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

    /** The last string or literal. */
    public String text() {
        return text;
    }

    /** The next token: one of the constants, or the character that it is. */
    public int next() {
        while (at < end) {
            byte c = bytes[at++];
            switch (c) {
                case ' ', '\n', '\r', '\t' -> {}
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

    private int string() {
        int from = at;
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
}
