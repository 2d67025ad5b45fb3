package io.plat.review.source;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in the syntax of Kubernetes' flags: decimal numbers with units, as in 1h30m or 100ms. */
public final class Durations {
    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(ns|us|µs|μs|ms|s|m|h)");
    private static final int MAX_TEXT = 64;
    private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

    private Durations() {}

    /**
     * Parses a duration that is not negative.
     *
     * @param text numbers with the units ns, us, ms, s, m, h; {@code 0} needs none
     * @return empty if the text is malformed, or more than 292 years
     */
    public static Optional<Duration> parse(String text) {
        if (text.equals("0")) {
            return Optional.of(Duration.ZERO);
        }
        if (text.isEmpty() || text.length() > MAX_TEXT) {
            return Optional.empty();
        }
        Matcher part = PART.matcher(text);
        BigDecimal nanos = BigDecimal.ZERO;
        int end = 0;
        while (end < text.length() && part.find(end) && part.start() == end) {
            nanos = nanos.add(new BigDecimal(normal(part.group(1))).multiply(unit(part.group(2))));
            end = part.end();
        }
        if (end < text.length() || nanos.compareTo(MAX_NANOS) > 0) {
            return Optional.empty();
        }
        BigInteger whole = nanos.toBigInteger();
        return Optional.of(Duration.ofNanos(whole.longValueExact()));
    }

    private static String normal(String number) {
        return number.endsWith(".") ? number + "0" : number;
    }

    private static BigDecimal unit(String name) {
        return BigDecimal.valueOf(
                switch (name) {
                    case "ns" -> 1L;
                    case "us", "µs", "μs" -> 1_000L;
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    case "h" -> 3_600_000_000_000L;
                    default -> throw new IllegalArgumentException(name);
                });
    }
}
