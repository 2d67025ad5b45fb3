package io.plat.http.commandline;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A declared flag; the key to its value in {@link FlagValues}. Made by a {@link FlagSet}.
 *
 * @param <T> the type of its value
 */
public final class Flag<T> {
    /** How often a flag is given and what that means. */
    enum Arity {
        /** Given at most once in effect: the last one counts. */
        SINGLE,
        /** The same, and without a value it means true. */
        TOGGLE,
        /** Each one counts. */
        REPEATED
    }

    /**
     * What help and messages say of a flag.
     *
     * @param name without dashes
     * @param label what stands for the value, or {@code ""}
     * @param expected what a message says was expected
     * @param help one or more sentences
     * @param standard the value without the flag as help shows it, or {@code ""}
     */
    record Text(String name, String label, String expected, String help, String standard) {}

    private final Text text;
    private final Arity arity;
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

    Flag(Text text, Arity arity, Reader<T> reader) {
        this.text = text;
        this.arity = arity;
        this.reader = reader;
    }

    /** The name with its dashes. */
    public String dashed() {
        return "--" + text.name();
    }

    Text text() {
        return text;
    }

    Arity arity() {
        return arity;
    }

    @Nullable
    T read(List<String> texts, FlagProblems problems) {
        return reader.read(this, texts, problems);
    }
}
