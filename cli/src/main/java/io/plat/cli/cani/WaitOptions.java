package io.plat.cli.cani;

import io.plat.cli.TypedDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that say which answer is waited for, and for how long. */
final class WaitOptions {
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
     * @throws io.plat.cli.CommandException if that is no duration
     */
    Duration timeout() {
        return timeout == null ? USUAL : TypedDuration.parse("--timeout", timeout);
    }
}
