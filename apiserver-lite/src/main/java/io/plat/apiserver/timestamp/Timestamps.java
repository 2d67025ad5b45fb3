package io.plat.apiserver.timestamp;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Optional;

/** RFC 3339 timestamps of the JSON form, which are seconds and nanoseconds since 1970 in protobuf. */
public final class Timestamps {
    /** First and last second that RFC 3339 can represent: years 1 to 9999. */
    private static final long FIRST = -62_135_596_800L;

    private static final long LAST = 253_402_300_799L;

    private static final int SECONDS_ONLY = 20;

    /** Format of times in whole seconds, in UTC. */
    public static final DateTimeFormatter SECONDS =
            new DateTimeFormatterBuilder().appendInstant(0).toFormatter();

    /** Format of times in microseconds, in UTC. */
    public static final DateTimeFormatter MICROS =
            new DateTimeFormatterBuilder().appendInstant(6).toFormatter();

    private Timestamps() {}

    /** Returns whether seconds since 1970 can be represented in JSON. */
    public static boolean writable(long seconds) {
        return seconds >= FIRST && seconds <= LAST;
    }

    /** Parses a timestamp of any offset and precision; empty if malformed, or outside the years 1 to 9999 in UTC. */
    public static Optional<Instant> parse(String text) {
        if (text.length() == SECONDS_ONLY) {
            long seconds = fastSeconds(text.toCharArray(), 0, SECONDS_ONLY);
            if (seconds >= 0) {
                return Optional.of(Instant.ofEpochSecond(seconds));
            }
        }
        // The formatter also accepts what RFC 3339 does not: no seconds, seconds in the offset, signed years.
        boolean shape = text.length() >= SECONDS_ONLY
                && text.charAt(4) == '-'
                && text.charAt(10) == 'T'
                && text.charAt(16) == ':'
                && (text.endsWith("Z")
                        || text.charAt(text.length() - 6) == '+'
                        || text.charAt(text.length() - 6) == '-');
        if (!shape) {
            return Optional.empty();
        }
        try {
            Instant time = OffsetDateTime.parse(text, DateTimeFormatter.ISO_OFFSET_DATE_TIME)
                    .toInstant();
            return writable(time.getEpochSecond()) ? Optional.of(time) : Optional.empty();
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    /** Parses the usual form, {@code 2006-01-02T15:04:05Z}, without allocation; a negative number for any other. */
    public static long fastSeconds(char[] text, int start, int length) {
        if (length != SECONDS_ONLY
                || text[start + 4] != '-'
                || text[start + 7] != '-'
                || text[start + 10] != 'T'
                || text[start + 13] != ':'
                || text[start + 16] != ':'
                || text[start + 19] != 'Z') {
            return -1;
        }
        int year = digits(text, start, 2) * 100 + digits(text, start + 2, 2);
        int month = digits(text, start + 5, 2);
        int day = digits(text, start + 8, 2);
        int hour = digits(text, start + 11, 2);
        int minute = digits(text, start + 14, 2);
        int second = digits(text, start + 17, 2);
        boolean plain = year >= 1970
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= YearMonth.of(year, month).lengthOfMonth()
                && hour >= 0
                && hour < 24
                && minute >= 0
                && minute < 60
                && second >= 0
                && second < 60;
        return plain
                ? LocalDate.of(year, month, day).toEpochDay() * 86_400L + hour * 3_600L + minute * 60L + second
                : -1;
    }

    private static int digits(char[] text, int at, int count) {
        int value = 0;
        for (int i = 0; i < count; i++) {
            int digit = text[at + i] - '0';
            if (digit < 0 || digit > 9) {
                return -10_000;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
