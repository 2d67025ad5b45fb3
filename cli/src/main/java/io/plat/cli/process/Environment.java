package io.plat.cli.process;

import io.plat.tls.files.RegularFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/**
 * Environment of a run, which a test can replace.
 *
 * @param home the user's home directory
 * @param in standard input
 * @param colour whether the output may be coloured
 * @param terminal whether stderr is a terminal, for progress
 * @param name the name of the program for its help: {@code plat} or {@code kubectl access}
 * @param clock the time, against which certificates are checked
 */
public record Environment(
        Map<String, String> variables,
        Path home,
        InputStream in,
        boolean colour,
        boolean terminal,
        String name,
        InstantSource clock) {
    public Environment {
        variables = Map.copyOf(variables);
    }

    /** Environment without a terminal. */
    public Environment(Map<String, String> variables, Path home, InputStream in, boolean colour, InstantSource clock) {
        this(variables, home, in, colour, false, "plat", clock);
    }

    /**
     * Reads the argument of an option: a file, or standard input for {@code -}.
     *
     * @param limit maximum size in bytes
     * @throws CommandException if it cannot be read, or is larger
     */
    public byte[] read(String option, String file, int limit) {
        try (InputStream source = file.equals("-") ? in : Channels.newInputStream(RegularFile.open(Path.of(file)))) {
            byte[] bytes = source.readNBytes(limit + 1);
            if (bytes.length > limit) {
                throw CommandException.undetermined(file + ": larger than " + limit + " bytes");
            }
            return bytes;
        } catch (IOException e) {
            throw CommandException.io(option + ": cannot read \"" + file + "\"", e);
        }
    }
}
