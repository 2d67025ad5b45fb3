package io.plat.cli.cani;

import io.plat.cli.CommandException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which answer is waited for, and for how long. */
final class WaitOptions {
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");
    private static final Duration USUAL = Duration.ofMinutes(1);

    /** The answers. */
    enum Answer {
        allow,
        deny
    }

    @Option(
            names = "--wait-for",
            paramLabel = "ANSWER",
            description = "ask until the answer is this one: ${COMPLETION-CANDIDATES}")
    @Nullable
    Answer waitFor;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "how long to wait, such as 500ms, 30s or 1m30s (1m)")
    @Nullable
    String timeout;

    boolean given() {
        return waitFor != null;
    }

    boolean timeoutGiven() {
        return timeout != null;
    }

    /** Whether this answer is the one that is waited for. */
    boolean isWanted(boolean allowed) {
        return allowed == (waitFor == Answer.allow);
    }

    /**
     * How long to wait.
     *
     * @throws CommandException if that is no duration
     */
    Duration timeout() {
        if (timeout == null) {
            return USUAL;
        }
        Matcher part = PART.matcher(timeout);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            long count = Long.parseLong(part.group(1));
            sum = sum.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(count);
                        case "s" -> Duration.ofSeconds(count);
                        case "m" -> Duration.ofMinutes(count);
                        default -> Duration.ofHours(count);
                    });
            end = part.end();
        }
        if (end == 0 || end < timeout.length()) {
            throw CommandException.usage("--timeout: expected a duration such as 30s, found \"" + timeout + "\"");
        }
        return sum;
    }
}
