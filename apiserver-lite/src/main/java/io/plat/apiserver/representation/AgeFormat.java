package io.plat.apiserver.representation;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;

/** Ages in kubectl's short form, with decreasing precision. */
final class AgeFormat {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private AgeFormat() {}

    /** Returns the time since a timestamp (RFC 3339); {@code <unknown>} if it is absent or malformed. */
    static String since(String timestamp, Instant now) {
        try {
            return of(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeException unreadable) {
            return "<unknown>";
        }
    }

    /** Formats a duration. Clocks differ: up to a second in the future counts as now, more is invalid. */
    static String of(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 2 * MINUTE) {
            return Math.max(0, seconds) + "s";
        }
        if (seconds < 10 * MINUTE) {
            return both(seconds / MINUTE, "m", seconds % MINUTE, "s");
        }
        if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        }
        if (seconds < 8 * HOUR) {
            return both(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
        }
        if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        }
        if (seconds < 8 * DAY) {
            return both(seconds / DAY, "d", seconds % DAY / HOUR, "h");
        }
        if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        }
        return seconds < 8 * YEAR ? both(seconds / YEAR, "y", seconds % YEAR / DAY, "d") : seconds / YEAR + "y";
    }

    private static String both(long coarse, String coarseUnit, long fine, String fineUnit) {
        return coarse + coarseUnit + (fine == 0 ? "" : fine + fineUnit);
    }
}
