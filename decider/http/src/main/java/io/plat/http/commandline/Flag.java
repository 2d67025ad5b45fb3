package io.plat.http.commandline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared flag, the key to its value in {@link FlagValues}. Created by a {@link FlagSet}.
 *
 * @param <T> the type of its value
 */
public final class Flag<T> {
    private final String name;
    private final String expected;
    private final boolean toggle;
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
     * @param expected description of valid values for messages
     * @param toggle whether it is true without a value
     */
    Flag(String name, String expected, boolean toggle, Reader<T> reader) {
        this.name = name;
        this.expected = expected;
        this.toggle = toggle;
        this.reader = reader;
    }

    public String dashed() {
        return "--" + name;
    }

    boolean isToggle() {
        return toggle;
    }

    String expected() {
        return expected;
    }

    @Nullable
    T read(List<String> texts, FlagProblems problems) {
        return reader.read(this, texts, problems);
    }
}
