package io.plat.cli.cani;

import io.plat.cli.command.TypedDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags for the awaited answer and the timeout. */
final class WaitOptions {
    private static final Duration USUAL = Duration.ofMinutes(1);

    enum Answer {
        allow,
        deny
    }

    @Option(names = "--wait-for", paramLabel = "ANSWER")
    @Nullable
    Answer waitFor;

    @Option(names = "--timeout", paramLabel = "DURATION")
    @Nullable
    String timeout;

    boolean given() {
        return waitFor != null;
    }

    /** Returns whether this answer is the awaited one. */
    boolean isWanted(boolean allowed) {
        return allowed == (waitFor == Answer.allow);
    }

    /**
     * Returns the timeout.
     *
     * @throws io.plat.cli.process.CommandException if it is not a duration
     */
    Duration timeout() {
        return timeout == null ? USUAL : TypedDuration.parse("--timeout", timeout);
    }

    String inVain() {
        return "waited " + (timeout == null ? "1m" : timeout) + " for \"" + waitFor + "\" in vain";
    }
}
