package io.plat.apiserver.representation.binary;

/** The text form of quantities: a decimal number with a suffix such as {@code m}, {@code Ki} or {@code e3}. */
final class Quantities {
    private static final String DECIMAL_SUFFIXES = "numkMGTPE";
    private static final String BINARY_SUFFIXES = "KMGTPE";

    private Quantities() {}

    /** Whether bytes spell a quantity. */
    static boolean valid(byte[] bytes, int start, int end) {
        int at = start;
        if (at < end && (bytes[at] == '+' || bytes[at] == '-')) {
            at++;
        }
        int digits = 0;
        boolean point = false;
        for (; at < end && (digit(bytes[at]) || (bytes[at] == '.' && !point)); at++) {
            point |= bytes[at] == '.';
            digits += digit(bytes[at]) ? 1 : 0;
        }
        return digits > 0 && suffix(bytes, at, end);
    }

    private static boolean suffix(byte[] bytes, int at, int end) {
        if (at == end) {
            return true;
        }
        int length = end - at;
        if (length == 1 && DECIMAL_SUFFIXES.indexOf(bytes[at]) >= 0) {
            return true;
        }
        if (length == 2 && bytes[at + 1] == 'i') {
            return BINARY_SUFFIXES.indexOf(bytes[at]) >= 0;
        }
        return (bytes[at] == 'e' || bytes[at] == 'E') && exponent(bytes, at + 1, end);
    }

    private static boolean exponent(byte[] bytes, int start, int end) {
        int at = start < end && (bytes[start] == '+' || bytes[start] == '-') ? start + 1 : start;
        if (at == end) {
            return false;
        }
        for (int i = at; i < end; i++) {
            if (!digit(bytes[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean digit(byte b) {
        return b >= '0' && b <= '9';
    }
}
