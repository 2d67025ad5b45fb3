package io.plat.http.commandline;

import io.plat.review.source.NearestName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Parser of arguments against a flag set: {@code --name=value}, {@code --name value}, or {@code --name} for a toggle. An argument that is a flag
 * is never the value of the previous one.
 */
record CommandLineReader(FlagSet flags) {
    private static final String HELP = "help";
    private static final String VERSION = "version";

    FlagSet.Request read(String... arguments) throws UsageException {
        List<String> given = List.of(arguments);
        if (given.contains("--" + HELP) || given.contains("-h")) {
            return new FlagSet.Request.Print(flags.help().text());
        }
        if (given.contains("--" + VERSION)) {
            return new FlagSet.Request.Print(flags.help().program() + " " + flags.version() + "\n");
        }
        return new FlagSet.Request.Run(values(new ArrayDeque<>(given)));
    }

    private FlagValues values(Deque<String> arguments) throws UsageException {
        FlagProblems problems = new FlagProblems();
        Map<Flag<?>, List<String>> texts = new HashMap<>();
        Set<Flag<?>> incomplete = new HashSet<>();
        while (!arguments.isEmpty()) {
            String argument = arguments.pop();
            @Nullable Flag<?> flag = find(argument);
            if (flag == null) {
                problems.addLine(unknown(argument));
                continue;
            }
            List<String> values = texts.computeIfAbsent(flag, any -> new ArrayList<>());
            int equals = argument.indexOf('=');
            @Nullable String next = arguments.peek();
            if (equals >= 0) {
                values.add(argument.substring(equals + 1));
            } else if (flag.isToggle()) {
                values.add("true");
            } else if (next != null && find(next) == null) {
                values.add(arguments.pop());
            } else if (incomplete.add(flag)) {
                problems.add(flag, "has no value, expected " + flag.expected());
            }
        }
        FlagValues read = values(texts, incomplete, problems);
        for (BiConsumer<FlagValues, FlagProblems> check : flags.checks()) {
            check.accept(read, problems);
        }
        if (!problems.lines().isEmpty()) {
            throw new UsageException(problems.lines());
        }
        return read;
    }

    private FlagValues values(Map<Flag<?>, List<String>> texts, Set<Flag<?>> incomplete, FlagProblems problems) {
        Map<Flag<?>, Object> values = new HashMap<>();
        for (Flag<?> flag : flags.byName().values()) {
            if (!incomplete.contains(flag)) {
                @Nullable Object value = flag.read(texts.getOrDefault(flag, List.of()), problems);
                if (value != null) {
                    values.put(flag, value);
                }
            }
        }
        return new FlagValues(values, texts.keySet());
    }

    /** Returns the flag of an argument; null if it is none. */
    private @Nullable Flag<?> find(String argument) {
        return argument.startsWith("--")
                ? flags.byName().get(argument.substring(2).split("=", 2)[0])
                : null;
    }

    private String unknown(String argument) {
        if (!argument.startsWith("-") || argument.equals("-") || argument.equals("--")) {
            return "\"" + argument + "\": unexpected argument, "
                    + closest(argument, flags.help().commands())
                            .map(command -> "did you mean the command " + command + "?")
                            .orElse("expected flags only");
        }
        String name = argument.split("=", 2)[0];
        Collection<String> known = new TreeSet<>(flags.byName().keySet());
        known.add(HELP);
        known.add(VERSION);
        Optional<String> meant = closest(name.replaceFirst("^-+", ""), known);
        return name + ": unknown flag, "
                + meant.map(flag -> "did you mean --" + flag + "?").orElse("see --help");
    }

    /** Returns the most similar known name, if one is similar enough. */
    static Optional<String> closest(String typed, Collection<String> known) {
        int bound = Math.max(2, typed.length() / 4);
        return known.stream()
                .filter(name -> NearestName.distance(typed, name) <= bound)
                .min(Comparator.comparingInt((String name) -> NearestName.distance(typed, name))
                        .thenComparing(Comparator.naturalOrder()));
    }
}
