package io.plat.http.commandline;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The flags of a program, in the order in which help shows them. Every flag set has {@code --help} and {@code --version}. Not
 * safe for concurrent use; declared once, then read.
 */
public final class FlagSet {
    private final Program program;
    private final SequencedMap<String, List<Flag<?>>> groups = new LinkedHashMap<>();
    private final Map<String, Flag<?>> byName = new LinkedHashMap<>();
    private final SequencedMap<String, String> commands = new LinkedHashMap<>();
    private final List<BiConsumer<FlagValues, FlagProblems>> checks = new ArrayList<>();
    private String group = "Flags";

    /**
     * The program that has the flags.
     *
     * @param name its name, as a user calls it
     * @param version its version
     * @param description what it does, in one or more sentences
     */
    public record Program(String name, String version, String description) {
        public Program {
            Objects.requireNonNull(name);
            Objects.requireNonNull(version);
            Objects.requireNonNull(description);
        }
    }

    /** What a command line asks for. */
    public sealed interface Request {
        /**
         * To write a text on stdout and end with 0.
         *
         * @param text lines, each with its end
         */
        record Print(String text) implements Request {}

        /**
         * To run.
         *
         * @param values the value of every flag
         */
        record Run(FlagValues values) implements Request {}
    }

    /** No flags yet but {@code --help} and {@code --version}. */
    public FlagSet(Program program) {
        this.program = program;
    }

    /** Further flags stand under this heading. */
    public void group(String heading) {
        group = heading;
    }

    /** A command that the program has beside running: its name and what it does, for the help text. */
    public void command(String name, String help) {
        commands.put(name, help);
    }

    /** A flag that has a value without being given: {@code standard}, in the form in which a user would write it. */
    public <T> Flag<T> value(String name, FlagType<T> type, String standard, String help) {
        T value = type.parser().apply(standard).orElseThrow(() -> new IllegalArgumentException(standard));
        return add(
                text(name, type, help, standard),
                Flag.Arity.SINGLE,
                (flag, texts, problems) -> texts.isEmpty() ? value : one(flag, type, texts.getLast(), problems));
    }

    /** A flag that must be given. */
    public <T> Flag<T> required(String name, FlagType<T> type, String help) {
        return add(text(name, type, help + " Required.", ""), Flag.Arity.SINGLE, (flag, texts, problems) -> {
            if (texts.isEmpty()) {
                problems.add(flag, "missing, expected " + type.expected());
                return null;
            }
            return one(flag, type, texts.getLast(), problems);
        });
    }

    /** A flag that may be left out. */
    public <T> Flag<Optional<T>> optional(String name, FlagType<T> type, String help) {
        return add(text(name, type, help, ""), Flag.Arity.SINGLE, (flag, texts, problems) -> {
            if (texts.isEmpty()) {
                return Optional.empty();
            }
            @Nullable T value = one(flag, type, texts.getLast(), problems);
            return value == null ? null : Optional.of(value);
        });
    }

    /** A flag whose values are separated by commas, and which may be given several times. Empty where it is not given. */
    public <T> Flag<List<T>> list(String name, FlagType<T> type, String help) {
        return add(
                text(name, type.labelled(type.label() + ",..."), help, ""),
                Flag.Arity.REPEATED,
                (flag, texts, problems) -> all(
                        flag,
                        type,
                        texts.stream()
                                .flatMap(text -> Stream.of(text.split(",", -1)))
                                .map(String::strip)
                                .toList(),
                        problems));
    }

    /** A flag that may be given several times, each time with one value. Empty where it is not given. */
    public <T> Flag<List<T>> repeated(String name, FlagType<T> type, String help) {
        return add(
                text(name, type, help + " May be given several times.", ""),
                Flag.Arity.REPEATED,
                (flag, texts, problems) -> all(flag, type, texts, problems));
    }

    /** A flag that is true when given alone, and may be given as {@code --name=false}. */
    public Flag<Boolean> toggle(String name, boolean standard, String help) {
        FlagType<Boolean> type = FlagType.BOOLEAN;
        return add(
                text(name, type, help, Boolean.toString(standard)),
                Flag.Arity.TOGGLE,
                (flag, texts, problems) -> texts.isEmpty() ? standard : one(flag, type, texts.getLast(), problems));
    }

    private static <T> @Nullable T one(Flag<?> flag, FlagType<T> type, String text, FlagProblems problems) {
        Optional<T> value = type.parser().apply(text);
        if (value.isEmpty()) {
            problems.add(flag, "\"" + text + "\" is wrong, expected " + type.expected());
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
     * A rule that concerns several flags. It runs on every command line, so that its problems are told together with all others,
     * and asks with {@link FlagValues#find} for what it needs.
     */
    public void check(BiConsumer<FlagValues, FlagProblems> check) {
        checks.add(check);
    }

    /**
     * A rule that exactly one of two flags is given.
     *
     * @param named is named in what is wrong
     */
    public void checkOneOf(Flag<?> named, Flag<?> other) {
        check((values, problems) -> {
            if (values.given(named) && values.given(other)) {
                problems.add(named, "not together with " + other.dashed());
            } else if (!values.given(named) && !values.given(other)) {
                problems.add(named, "missing, expected " + named.text().expected() + ", or " + other.dashed());
            }
        });
    }

    /**
     * Reads a command line.
     *
     * @throws UsageException with every problem there is
     */
    public Request parse(String... arguments) throws UsageException {
        return new CommandLineReader(this).read(arguments);
    }

    Program program() {
        return program;
    }

    SequencedMap<String, List<Flag<?>>> groups() {
        return groups;
    }

    SequencedMap<String, String> commands() {
        return commands;
    }

    Map<String, Flag<?>> byName() {
        return byName;
    }

    List<BiConsumer<FlagValues, FlagProblems>> checks() {
        return checks;
    }

    private static Flag.Text text(String name, FlagType<?> type, String help, String standard) {
        return new Flag.Text(name, type.label(), type.expected(), help, standard);
    }

    private <T> Flag<T> add(Flag.Text text, Flag.Arity arity, Flag.Reader<T> reader) {
        Flag<T> flag = new Flag<>(text, arity, reader);
        if (byName.putIfAbsent(text.name(), flag) != null) {
            throw new IllegalArgumentException("two flags are called " + text.name());
        }
        groups.computeIfAbsent(group, heading -> new ArrayList<>()).add(flag);
        return flag;
    }
}
