package io.plat.apiserver.resource;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Amounts as the field writes them: a number with a decimal suffix ({@code n} to {@code E}), a binary one ({@code Ki} to {@code Ei}) or an
 * exponent. The same amount in the same kind of suffix has one canonical text, which is what existing servers store and show.
 */
public final class Quantity {
    private static final Pattern FORM = Pattern.compile(
            "[+-]?([0-9]{1,64}(\\.[0-9]{0,64})?|\\.[0-9]{1,64})([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,3})?");

    private static final String SUFFIXES = "kMGTPE";
    private static final String FRACTIONS = "mun";
    private static final int FINEST = 9;
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);
    private static final BigInteger KIBI_WHOLE = BigInteger.valueOf(1024);
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

    private Quantity() {}

    /** Whether a text is one. */
    public static boolean isQuantity(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * The number that a text stands for, which is exact.
     *
     * @throws NumberFormatException if it is no quantity
     */
    public static BigDecimal amount(String text) {
        boolean binary = text.endsWith("i");
        String number = binary ? text.substring(0, text.length() - 1) : text;
        char suffix = number.charAt(number.length() - 1);
        int power = SUFFIXES.indexOf(binary && suffix == 'K' ? 'k' : suffix) + 1;
        if (power > 0) {
            return new BigDecimal(number.substring(0, number.length() - 1))
                    .multiply((binary ? KIBI : BigDecimal.valueOf(1000)).pow(power));
        }
        int down = FRACTIONS.indexOf(suffix) + 1;
        return down == 0
                ? new BigDecimal(number.toUpperCase(Locale.ROOT))
                : new BigDecimal(number.substring(0, number.length() - 1)).movePointLeft(3 * down);
    }

    /**
     * The canonical text of a quantity: no fraction, the largest suffix of its kind that leaves none. What is finer than a billionth is rounded
     * up, and what no server can count is as much as it can.
     *
     * @throws NumberFormatException if it is no quantity
     */
    static String canonical(String text) {
        BigDecimal amount = amount(text);
        if (amount.signum() == 0) {
            return "0";
        }
        if (amount.abs().compareTo(MOST) > 0) {
            amount = amount.signum() < 0 ? MOST.negate() : MOST;
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

    private static String binary(BigInteger amount) {
        BigInteger left = amount;
        int power = 0;
        while (power < SUFFIXES.length() && left.mod(KIBI_WHOLE).signum() == 0) {
            left = left.divide(KIBI_WHOLE);
            power++;
        }
        return power == 0
                ? left.toString()
                : left + SUFFIXES.substring(power - 1, power).toUpperCase(Locale.ROOT) + "i";
    }

    private static String decimal(BigDecimal amount, boolean exponent) {
        int power = Math.floorDiv(-amount.scale(), 3);
        BigInteger left = amount.scaleByPowerOfTen(-3 * power).toBigIntegerExact();
        if (power == 0) {
            return left.toString();
        }
        if (exponent) {
            return left + "e" + 3 * power;
        }
        return left + (power > 0 ? SUFFIXES.substring(power - 1, power) : FRACTIONS.substring(-power - 1, -power));
    }
}
