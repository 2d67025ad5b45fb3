package io.plat.http.commandline;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/**
 * A declared flag; the key to its value in {@link FlagValues}. Made by a {@link FlagSet}.
 *
 * @param <T> the type of its value
 */
public final class Flag<T> {
    private final OptionSpec option;
    private final String expected;
    private final Reader<T> reader;

    /** Makes a flag's value. */
    @FunctionalInterface
    interface Reader<T> {
        /**
         * The value.
         *
         * @param texts the values as given, of which there may be none
         * @param problems gets what is wrong
         * @return null where something is
         */
        @Nullable
        T read(Flag<T> flag, List<String> texts, FlagProblems problems);
    }

    /**
     * A flag.
     *
     * @param option what the parser and the help know of it
     * @param expected what a message says was expected
     */
    Flag(OptionSpec option, String expected, Reader<T> reader) {
        this.option = option;
        this.expected = expected;
        this.reader = reader;
    }

    /** The name with its dashes. */
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
