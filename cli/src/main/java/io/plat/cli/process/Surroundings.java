package io.plat.cli;

import java.io.InputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * What a run finds around it. Given to the program, so that a test can give another.
 *
 * @param environment the variables
 * @param home the user's home folder
 * @param in standard input
 * @param colour whether the output may be coloured
 * @param terminal whether stderr is a terminal, where progress may be shown
 * @param name what the program was started as, for its help: {@code plat} or {@code kubectl access}
 * @param clock the time, against which certificates are checked
 */
public record Surroundings(
        Map<String, String> environment,
        Path home,
        InputStream in,
        boolean colour,
        boolean terminal,
        String name,
        InstantSource clock) {
    public Surroundings {
        environment = Map.copyOf(environment);
    }

    /** Surroundings without a terminal. */
    public Surroundings(
            Map<String, String> environment, Path home, InputStream in, boolean colour, InstantSource clock) {
        this(environment, home, in, colour, false, "plat", clock);
    }
}
