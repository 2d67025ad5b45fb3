package io.plat.http.commandline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A declared flag, the key to its value in {@link FlagValues}. Created by a {@link FlagSet}.
 *
 * @param <T> the type of its value
 */
public final class Flag<T> {
    private final OptionSpec option;
    private final String expected;
    private final Reader<T> reader;

    @FunctionalInterface
    interface Reader<T> {
        /**
         * Returns the value.
         *
         * @param texts the values as given, possibly none
         * @param problems receives the problems
         * @return null if there is a problem
         */
        @Nullable
        T read(Flag<T> flag, List<String> texts, FlagProblems problems);
    }

    /**
     * Creates a flag.
     *
     * @param option its option for the parser and the help
     * @param expected description of valid values for messages
     */
    Flag(OptionSpec option, String expected, Reader<T> reader) {
        this.option = option;
        this.expected = expected;
        this.reader = reader;
    }

    public String dashed() {
        return option.longestName();
    }

    OptionSpec option() {
        return option;
    }

    String expected() {
        return expected;
    }

    @Nullable
    T read(List<String> texts, FlagProblems problems) {
        return reader.read(this, texts, problems);
    }
}
