package io.plat.apiserver.storage;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.Optional;

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

    /** Parses {@code duration:5m} (units ms, s, m, h) or {@code changes:1000}; empty for any other text. */
    static Optional<HistoryPolicy> parse(String text) {
        Matcher matcher = Pattern.compile("(duration|changes):0{0,8}([1-9][0-9]{0,8})(ms|s|m|h|)")
                .matcher(text);
        if (!matcher.matches()
                || matcher.group(1).equals("changes") != matcher.group(3).isEmpty()) {
            return Optional.empty();
        }
        int amount = Integer.parseInt(matcher.group(2));
        return Optional.of(
                switch (matcher.group(3)) {
                    case "" -> new Changes(amount);
                    case "ms" -> new Age(Duration.ofMillis(amount));
                    case "s" -> new Age(Duration.ofSeconds(amount));
                    case "m" -> new Age(Duration.ofMinutes(amount));
                    default -> new Age(Duration.ofHours(amount));
                });
    }
}
