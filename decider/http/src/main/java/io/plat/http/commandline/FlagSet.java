package io.plat.http.commandline;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The flags of a program. The help is a resource with each flag, its default and its purpose; the types of values are declared here. Every flag set
 * has {@code --help} and {@code --version}. Not thread-safe while flags are declared.
 */
public final class FlagSet {
    private final HelpText help;
    private final String version;
    private final Map<String, Flag<?>> byName = new LinkedHashMap<>();
    private final List<BiConsumer<FlagValues, FlagProblems>> checks = new ArrayList<>();

    /** A parsed command line. */
    public sealed interface Request {
        /**
         * Print a text to stdout and exit with status 0.
         *
         * @param text lines, each with a line feed
         */
        record Print(String text) implements Request {}

        /**
         * Run the program.
         *
         * @param values the value of every flag
         */
        record Run(FlagValues values) implements Request {}
    }

    /**
     * Creates a set with {@code --help} and {@code --version}.
     *
     * @param help the help of the program, with all flags to be declared
     */
    public FlagSet(String help, String version) {
        this.help = new HelpText(help);
        this.version = version;
    }

    /** Returns a set with the help in the resource {@code NAME-help.txt} of a class. */
    public static FlagSet of(Class<?> program, String name, String version) {
        try (InputStream help = program.getResourceAsStream(name + "-help.txt")) {
            return new FlagSet(
                    new String(Objects.requireNonNull(help, name).readAllBytes(), StandardCharsets.UTF_8), version);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Declares a flag with the default from the help. */
    public <T> Flag<T> value(String name, FlagType<T> type) {
        String text = row(name).defaultValue();
        T value = type.parser().apply(text).orElseThrow(() -> new IllegalArgumentException(name + ": " + text));
        return add(
                name,
                type,
                false,
                (flag, texts, problems) -> texts.isEmpty() ? value : one(flag, type, texts.getLast(), problems));
    }

    public <T> Flag<T> required(String name, FlagType<T> type) {
        return add(name, type, false, (flag, texts, problems) -> {
            if (texts.isEmpty()) {
                problems.add(flag, "required, expected " + type.expected());
                return null;
            }
            return one(flag, type, texts.getLast(), problems);
        });
    }

    /** Declares an optional flag. */
    public <T> Flag<Optional<T>> optional(String name, FlagType<T> type) {
        return add(name, type, false, (flag, texts, problems) -> {
            if (texts.isEmpty()) {
                return Optional.empty();
            }
            @Nullable T value = one(flag, type, texts.getLast(), problems);
            return value == null ? null : Optional.of(value);
        });
    }

    /** Declares a flag with comma-separated values, which may be repeated. Empty if it is absent. */
    public <T> Flag<List<T>> list(String name, FlagType<T> type) {
        return add(name, type, false, (flag, texts, problems) -> {
            Stream<String> split = texts.stream().flatMap(text -> Stream.of(text.split(",", -1)));
            return all(flag, type, split.map(String::strip).toList(), problems);
        });
    }

    /** Declares a flag with one value, which may be repeated. Empty if it is absent. */
    public <T> Flag<List<T>> repeated(String name, FlagType<T> type) {
        return add(name, type, false, (flag, texts, problems) -> all(flag, type, texts, problems));
    }

    /** Declares a boolean flag, which is true without a value, and may be given as {@code --name=false}. */
    public Flag<Boolean> toggle(String name) {
        return toggle(name, FlagType.BOOLEAN);
    }

    /** Declares a boolean flag, which is true without a value, with a default from the help. */
    public Flag<Boolean> toggle(String name, FlagType<Boolean> type) {
        boolean value = type.parser().apply(row(name).defaultValue()).orElse(false);
        return add(
                name,
                type,
                true,
                (flag, texts, problems) ->
                        texts.isEmpty() ? (Boolean) value : one(flag, type, texts.getLast(), problems));
    }

    private static <T> @Nullable T one(Flag<?> flag, FlagType<T> type, String text, FlagProblems problems) {
        Optional<T> value = type.parser().apply(text);
        if (value.isEmpty()) {
            problems.add(flag, "invalid value \"" + text + "\", expected " + type.expected());
            return null;
        }
        return value.get();
    }

    private static <T> @Nullable List<T> all(
            Flag<?> flag, FlagType<T> type, List<String> texts, FlagProblems problems) {
        List<T> values = new ArrayList<>();
        for (String text : texts) {
            @Nullable T value = one(flag, type, text, problems);
            if (value != null) {
                values.add(value);
            }
        }
        return values.size() < texts.size() ? null : List.copyOf(values);
    }

    /**
     * Adds a rule for several flags. It runs on every command line, so that all problems are reported together, and reads values with
     * {@link FlagValues#find}.
     */
    public void check(BiConsumer<FlagValues, FlagProblems> check) {
        checks.add(check);
    }

    /** Adds a rule that some flags require another one. */
    public void checkRequires(Flag<?> required, Flag<?>... flags) {
        check((values, problems) -> {
            for (Flag<?> flag : flags) {
                if (values.isSet(flag) && !values.isSet(required)) {
                    problems.add(flag, "requires " + required.dashed());
                }
            }
        });
    }

    /**
     * Adds a rule that exactly one of two flags is given.
     *
     * @param named the flag in the message
     */
    public void checkOneOf(Flag<?> named, Flag<?> other) {
        check((values, problems) -> {
            if (values.isSet(named) && values.isSet(other)) {
                problems.add(named, "cannot be combined with " + other.dashed());
            } else if (!values.isSet(named) && !values.isSet(other)) {
                problems.add(named, "required, expected " + named.expected() + ", or " + other.dashed());
            }
        });
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException with all problems
     */
    public Request parse(String... arguments) throws UsageException {
        return new CommandLineReader(this).read(arguments);
    }

    HelpText help() {
        return help;
    }

    String version() {
        return version;
    }

    Map<String, Flag<?>> byName() {
        return byName;
    }

    List<BiConsumer<FlagValues, FlagProblems>> checks() {
        return checks;
    }

    private HelpText.Row row(String name) {
        HelpText.Row row = help.flags().get(name);
        if (row == null) {
            throw new IllegalArgumentException("help does not describe --" + name);
        }
        return row;
    }

    private <T> Flag<T> add(String name, FlagType<?> type, boolean toggle, Flag.Reader<T> reader) {
        HelpText.Row row = row(name);
        OptionSpec.Builder option = OptionSpec.builder("--" + name)
                .type(String[].class)
                .arity(toggle ? "0..1" : "1")
                .paramLabel(row.label())
                .description(row.description());
        Flag<T> flag = new Flag<>((toggle ? option.fallbackValue("true") : option).build(), type.expected(), reader);
        if (byName.putIfAbsent(name, flag) != null) {
            throw new IllegalArgumentException("two flags are called " + name);
        }
        return flag;
    }
}
