package io.plat.cel.text;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Compiler of client-supplied regular expressions. RE2/J takes time proportional to the text and the size of the program, but limits
 * neither that size nor the depth. Here an expression is measured before it is compiled, and rejected with Go's messages: the product of
 * nested repetitions and the depth are limited to 1,000 as in Go, and the size is limited more strictly.
 */
public final class RegularExpressions {
    /** Maximum number of instructions of a program. */
    static final int MAX_SIZE = 50_000;

    /** Maximum length of an expression in a message, in characters. */
    private static final int MAX_QUOTED_LENGTH = 1_024;

    private static final int MAX_REPEAT = 1_000;
    private static final int MAX_HEIGHT = 1_000;

    /** Maximum number of Unicode class tables, each of which has some thousand ranges. */
    private static final int MAX_TABLES = 200;

    /** Maximum number of instructions of all cached programs. */
    private static final int MAX_CACHED_SIZE = 200_000;

    private static final Cache<String, Pattern> COMPILED = Caffeine.newBuilder()
            .maximumWeight(MAX_CACHED_SIZE)
            .weigher((String text, Pattern pattern) -> 50 + text.length() / 10 + pattern.programSize())
            .executor(Runnable::run)
            .build();

    private final String text;
    private final Deque<Group> groups = new ArrayDeque<>();
    private Group group = new Group();
    private int at;
    private int tables;

    private RegularExpressions(String text) {
        this.text = text;
    }

    /**
     * Compiles an expression, with caching.
     *
     * @throws PatternSyntaxException if it is malformed or too large
     */
    public static Pattern compile(String text) {
        return COMPILED.get(text, expression -> {
            new RegularExpressions(expression).measure();
            try {
                return Pattern.compile(expression);
            } catch (StackOverflowError tooDeep) {
                throw fault("expression nests too deeply", expression);
            }
        });
    }

    /** Returns the reason why an expression cannot be compiled; {@code ""} if it can. */
    public static String problem(String text) {
        try {
            compile(text);
            return "";
        } catch (PatternSyntaxException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Upper bounds for the contents of a group. */
    private static final class Group {
        /** Instructions of completed operands, and of the last operand, which may still be repeated. */
        private long size;

        private long operand;

        /** Largest product of nested repetitions, in total and in the last operand. */
        private long product = 1;

        private long operandProduct = 1;
        private int height = 1;
        private int operandHeight;

        private void begin(long instructions, long nested, int depth) {
            size += operand;
            product = Math.max(product, operandProduct);
            height = Math.max(height, operandHeight);
            operand = instructions;
            operandProduct = nested;
            operandHeight = depth;
        }
    }

    private static PatternSyntaxException fault(String cause, String expression) {
        return new PatternSyntaxException(
                cause,
                expression.length() <= MAX_QUOTED_LENGTH
                        ? expression
                        : expression.substring(0, MAX_QUOTED_LENGTH) + "...");
    }

    private void measure() {
        while (at < text.length()) {
            switch (text.charAt(at++)) {
                case '\\' -> escape();
                case '[' -> characterClass();
                case '(' -> {
                    groups.push(group);
                    group = new Group();
                    skipGroupHead();
                }
                case ')' -> close();
                case '*', '+', '?' -> {
                    group.operand++;
                    group.operandHeight++;
                }
                case '{' -> repeat();
                default -> group.begin(1, 1, 1);
            }
            if (group.size + group.operand > MAX_SIZE || tables > MAX_TABLES) {
                throw fault("expression too large", text);
            }
            if (group.operandHeight > MAX_HEIGHT || groups.size() > MAX_HEIGHT) {
                throw fault("expression nests too deeply", text);
            }
        }
    }

    private void close() {
        if (groups.isEmpty()) {
            return;
        }
        group.begin(0, 1, 0);
        Group inner = group;
        group = groups.pop();
        group.begin(inner.size + 2, inner.product, inner.height + 1);
    }

    /** Skips flags and names: {@code (?i)}, {@code (?P<name>}, {@code (?:}. */
    private void skipGroupHead() {
        if (at < text.length() && text.charAt(at) == '?') {
            while (at < text.length() && ":>)".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (at < text.length() && text.charAt(at) != ')') {
                at++;
            }
        }
    }

    private void escape() {
        if (at == text.length()) {
            return;
        }
        char escaped = text.charAt(at++);
        if (escaped == 'p' || escaped == 'P') {
            tables++;
        }
        if ("pPx".indexOf(escaped) >= 0 && at < text.length() && text.charAt(at) == '{') {
            int end = text.indexOf('}', at);
            at = end < 0 ? text.length() : end + 1;
        }
        if (escaped == 'Q') {
            int end = text.indexOf("\\E", at);
            int last = end < 0 ? text.length() : end;
            group.begin(0, 1, 0);
            group.size += last - at;
            at = end < 0 ? last : last + 2;
        } else {
            group.begin(1, 1, 1);
        }
    }

    private void characterClass() {
        int start = at;
        if (at < text.length() && text.charAt(at) == '^') {
            at++;
        }
        boolean first = true;
        while (at < text.length() && (first || text.charAt(at) != ']')) {
            first = false;
            char c = text.charAt(at++);
            if (c == '\\' && at < text.length()) {
                char escaped = text.charAt(at++);
                tables += escaped == 'p' || escaped == 'P' ? 1 : 0;
            } else if (c == '[' && at < text.length() && text.charAt(at) == ':') {
                int end = text.indexOf(":]", at);
                at = end < 0 ? at : end + 2;
            }
        }
        at++;
        group.begin(1 + (at - start) / 8, 1, 1);
    }

    /** Parses {@code {n}}, {@code {n,}} or {@code {n,m}}; anything else is a literal brace. */
    private void repeat() {
        int end = text.indexOf('}', at);
        String counts = end < 0 || end - at > 20 ? "" : text.substring(at, end);
        if (!counts.matches("[0-9]{1,9}(,[0-9]{0,9})?")) {
            group.begin(1, 1, 1);
            return;
        }
        at = end + 1;
        String[] bounds = counts.split(",", -1);
        int min = Integer.parseInt(bounds[0]);
        int max = bounds.length == 1 || bounds[1].isEmpty() ? min + 1 : Integer.parseInt(bounds[1]);
        long times = Math.max(1, Math.max(min, max));
        group.operandProduct *= bounds.length == 1 || bounds[1].isEmpty() ? Math.max(1, min) : times;
        if (group.operandProduct > MAX_REPEAT) {
            throw fault("invalid repeat count", text);
        }
        group.operand = (group.operand + 1) * times;
        group.operandHeight++;
    }
}
