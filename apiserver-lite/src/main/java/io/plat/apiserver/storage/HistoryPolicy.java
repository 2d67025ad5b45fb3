package io.plat.apiserver.storage;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.Duration;

/** Retention policy for history (specification, "Limits"): older revisions can be neither watched from nor read. */
public sealed interface HistoryPolicy {
    /** Interval after which kube-apiserver compacts etcd 3. */
    HistoryPolicy DEFAULT = new Age(Duration.ofMinutes(5));

    /** Retention by age, as with etcd 3. */
    record Age(Duration age) implements HistoryPolicy {
        public Age {
            if (age.isNegative() || age.isZero()) {
                throw new IllegalArgumentException("the age must be positive: " + age);
            }
        }
    }

    /** Retention by number of changes, as with etcd 2. */
    record Changes(int changes) implements HistoryPolicy {
        public Changes {
            if (changes < 1) {
                throw new IllegalArgumentException("the number of changes must be positive: " + changes);
            }
        }
    }

    /**
     * Parses {@code duration:5m} (units ms, s, m, h) or {@code changes:1000}.
     *
     * @throws IllegalArgumentException for any other text; the message states what was expected
     */
    static HistoryPolicy parse(String text) {
        Matcher matcher = Pattern.compile("(duration):([0-9]{1,9})(ms|s|m|h)|(changes):([0-9]{1,9})")
                .matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text
                            + "\" is not a valid history retention: expected duration:N with the unit ms, s, m or h, or changes:N");
        }
        if (matcher.group(4) != null) {
            return new Changes(Integer.parseInt(matcher.group(5)));
        }
        long amount = Long.parseLong(matcher.group(2));
        return new Age(
                switch (matcher.group(3)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    default -> Duration.ofHours(amount);
                });
    }
}
