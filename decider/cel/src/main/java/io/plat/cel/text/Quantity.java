package io.plat.cel.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Quantities in Kubernetes' syntax: a number with a decimal suffix ({@code n} to {@code E}), a binary one ({@code Ki} to {@code Ei}) or
 * an exponent. Each amount has one canonical form per kind of suffix, which kube-apiserver stores and returns.
 */
public final class Quantity {
    /** Maximum number of digits before a point, after it, and in an exponent. */
    private static final int MAX_DIGITS = 64;

    private static final int MAX_EXPONENT_DIGITS = 3;

    /** Number of digits that a double can represent as well. */
    private static final int FEW_DIGITS = 15;

    private static final int NO_POWER = Integer.MIN_VALUE;

    private static final String SUFFIXES = "kMGTPE";
    private static final String FRACTIONS = "mun";
    private static final int FINEST = 9;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final List<BigDecimal> KIBIS = powers(KIBI);
    private static final List<BigDecimal> THOUSANDS = powers(BigDecimal.valueOf(1000));
    private static final BigInteger KIBI_WHOLE = BigInteger.valueOf(1024);

    private Quantity() {}

    private static List<BigDecimal> powers(BigDecimal base) {
        return IntStream.rangeClosed(0, SUFFIXES.length()).mapToObj(base::pow).toList();
    }

    public static boolean isQuantity(String text) {
        int at = !text.isEmpty() && isSign(text.charAt(0)) ? 1 : 0;
        int whole = digits(text, at);
        at += whole;
        int fraction = 0;
        if (at < text.length() && text.charAt(at) == '.') {
            fraction = digits(text, at + 1);
            at += 1 + fraction;
        }
        return whole + fraction > 0 && whole <= MAX_DIGITS && fraction <= MAX_DIGITS && isSuffix(text, at);
    }

    private static boolean isSuffix(String text, int from) {
        int length = text.length() - from;
        if (length == 0) {
            return true;
        }
        char first = text.charAt(from);
        if (length == 1) {
            return SUFFIXES.indexOf(first) >= 0 || FRACTIONS.indexOf(first) >= 0;
        }
        if (length == 2 && text.charAt(from + 1) == 'i') {
            return first == 'K' || SUFFIXES.indexOf(first) > 0;
        }
        int digits = isSign(text.charAt(from + 1)) ? from + 2 : from + 1;
        int count = digits(text, digits);
        return (first == 'e' || first == 'E')
                && count > 0
                && count <= MAX_EXPONENT_DIGITS
                && digits + count == text.length();
    }

    private static boolean isSign(char c) {
        return c == '+' || c == '-';
    }

    /** Returns the number of digits at an index. */
    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at - from;
    }

    /** Returns the amount of a quantity in an object; 0 if {@code ""} or malformed, which the schema check reports. */
    public static BigDecimal of(String text) {
        try {
            return text.isEmpty() ? BigDecimal.ZERO : amount(text);
        } catch (NumberFormatException e) {
            return BigDecimal.ZERO;
        }
    }

    /**
     * Returns the exact amount of a quantity.
     *
     * @throws NumberFormatException if it is malformed
     */
    public static BigDecimal amount(String text) {
        boolean binary = text.endsWith("i");
        int digits = text.length() - (binary ? 2 : 1);
        int power = digits < 0 ? NO_POWER : power(text.charAt(digits), binary);
        if (power == NO_POWER) {
            return new BigDecimal(text.toUpperCase(Locale.ROOT));
        }
        BigDecimal number = new BigDecimal(text.substring(0, digits));
        return power < 0 ? number.movePointLeft(-3 * power) : number.multiply(unit(power, binary));
    }

    /**
     * Returns the canonical form of a quantity: no fraction, and the largest suffix of its kind that avoids one. Precision below a
     * billionth is rounded up.
     *
     * @throws NumberFormatException if it is malformed
     */
    public static String canonical(String text) {
        String simple = ofFewDigits(text);
        if (!simple.isEmpty()) {
            return simple;
        }
        BigDecimal amount = amount(text);
        if (amount.signum() == 0) {
            return "0";
        }
        if (amount.scale() > FINEST) {
            amount = amount.setScale(FINEST, RoundingMode.UP);
        }
        if (text.endsWith("i") && amount.abs().compareTo(KIBI) >= 0) {
            return binary(amount.setScale(0, RoundingMode.UP).toBigIntegerExact());
        }
        boolean exponent =
                text.indexOf('e') >= 0 || (text.indexOf('E') >= 0 && !text.endsWith("E") && !text.endsWith("Ei"));
        return decimal(amount.stripTrailingZeros(), exponent);
    }

    /** Returns the canonical form of a short integer without exponent, as nearly all are; {@code ""} for any other. */
    private static String ofFewDigits(String text) {
        int digits = digits(text, 0);
        int suffix = text.length() - digits;
        boolean binary = suffix == 2 && text.charAt(digits + 1) == 'i';
        if (digits == 0 || digits > FEW_DIGITS || text.charAt(0) == '0' || (suffix > 1 && !binary)) {
            return "";
        }
        int written = suffix == 0 ? 0 : power(text.charAt(digits), binary);
        long step = binary ? KIBI_WHOLE.longValue() : 1000;
        long remaining = Long.parseLong(text, 0, digits, 10);
        boolean tooMany = written > 0
                && remaining > Long.MAX_VALUE / unit(written, binary).longValue();
        if (written == NO_POWER || tooMany) {
            return "";
        }
        int power = written;
        while (remaining % step == 0) {
            remaining /= step;
            power++;
        }
        return power == written ? text : remaining + suffix(power, binary);
    }

    /** Returns the exponent of a suffix, to base 1000 or 1024. */
    private static int power(char suffix, boolean binary) {
        if (binary) {
            return suffix == 'K' ? 1 : SUFFIXES.indexOf(suffix) > 0 ? SUFFIXES.indexOf(suffix) + 1 : NO_POWER;
        }
        int down = FRACTIONS.indexOf(suffix) + 1;
        int up = SUFFIXES.indexOf(suffix) + 1;
        return up > 0 ? up : down > 0 ? -down : NO_POWER;
    }

    private static BigDecimal unit(int power, boolean binary) {
        return (binary ? KIBIS : THOUSANDS).get(power);
    }

    private static String suffix(int power, boolean binary) {
        if (power == 0) {
            return "";
        }
        if (binary) {
            return Character.toUpperCase(SUFFIXES.charAt(power - 1)) + "i";
        }
        return String.valueOf(power > 0 ? SUFFIXES.charAt(power - 1) : FRACTIONS.charAt(-power - 1));
    }

    private static String binary(BigInteger amount) {
        BigInteger remaining = amount;
        int power = 0;
        while (power < SUFFIXES.length() && remaining.mod(KIBI_WHOLE).signum() == 0) {
            remaining = remaining.divide(KIBI_WHOLE);
            power++;
        }
        return remaining + suffix(power, true);
    }

    private static String decimal(BigDecimal amount, boolean exponent) {
        int power = Math.min(Math.floorDiv(-amount.scale(), 3), exponent ? Integer.MAX_VALUE : SUFFIXES.length());
        BigInteger remaining = amount.scaleByPowerOfTen(-3 * power).toBigIntegerExact();
        return remaining + (exponent && power != 0 ? "e" + 3 * power : suffix(power, false));
    }
}
