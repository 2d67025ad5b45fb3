package io.plat.cli.cani;

import io.plat.cli.command.TypedDuration;
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

    @Option(names = "--wait-for", paramLabel = "ANSWER")
    @Nullable
    Answer waitFor;

    @Option(names = "--timeout", paramLabel = "DURATION")
    @Nullable
    String timeout;

    boolean given() {
        return waitFor != null;
    }

    /** Whether this answer is the one that is waited for. */
    boolean isWanted(boolean allowed) {
        return allowed == (waitFor == Answer.allow);
    }

    /**
     * How long to wait.
     *
     * @throws io.plat.cli.process.CommandException if that is no duration
     */
    Duration timeout() {
        return timeout == null ? USUAL : TypedDuration.parse("--timeout", timeout);
    }

    /** What is told where the time ran out. */
    String inVain() {
        return "waited " + (timeout == null ? "1m" : timeout) + " for \"" + waitFor + "\" in vain";
    }
}
