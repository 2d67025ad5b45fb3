package io.plat.http.commandline;

import io.plat.review.source.NearestName;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Parser of arguments against a flag set. The library splits them into flags and values, which are parsed and validated here, so that all problems
 * are reported uniformly.
 */
record CommandLineReader(FlagSet flags) {
    private static final String HELP = "help";
    private static final String VERSION = "version";

    FlagSet.Request read(String... arguments) throws UsageException {
        ParseResult parsed = new CommandLine(spec()).parseArgs(arguments);
        if (parsed.hasMatchedOption("--" + HELP)) {
            return new FlagSet.Request.Print(flags.help().text());
        }
        if (parsed.hasMatchedOption("--" + VERSION)) {
            return new FlagSet.Request.Print(flags.help().program() + " " + flags.version() + "\n");
        }
        return new FlagSet.Request.Run(values(parsed));
    }

    private CommandSpec spec() {
        CommandSpec spec = CommandSpec.create().name(flags.help().program());
        spec.parser()
                .collectErrors(true)
                .unmatchedArgumentsAllowed(true)
                .overwrittenOptionsAllowed(true)
                .posixClusteredShortOptionsAllowed(false)
                .trimQuotes(false);
        spec.interpolateVariables(false);
        for (Flag<?> flag : flags.byName().values()) {
            spec.addOption(flag.option());
        }
        spec.addOption(OptionSpec.builder("--" + HELP, "-h").build());
        spec.addOption(OptionSpec.builder("--" + VERSION).build());
        return spec;
    }

    private FlagValues values(ParseResult parsed) throws UsageException {
        FlagProblems problems = new FlagProblems();
        Set<String> incomplete = incomplete(parsed.errors(), problems);
        unmatched(parsed.unmatched(), problems);
        Map<Flag<?>, Object> values = new HashMap<>();
        Set<Flag<?>> present = new HashSet<>();
        for (Flag<?> flag : flags.byName().values()) {
            @Nullable OptionSpec option = parsed.matchedOption(flag.dashed());
            if (option != null || incomplete.contains(flag.dashed())) {
                present.add(flag);
            }
            if (!incomplete.contains(flag.dashed())) {
                @Nullable Object value = flag.read(option == null ? List.of() : option.stringValues(), problems);
                if (value != null) {
                    values.put(flag, value);
                }
            }
        }
        FlagValues read = new FlagValues(values, present);
        for (BiConsumer<FlagValues, FlagProblems> check : flags.checks()) {
            check.accept(read, problems);
        }
        if (!problems.lines().isEmpty()) {
            throw new UsageException(problems.lines());
        }
        return read;
    }

    private Set<String> incomplete(List<Exception> errors, FlagProblems problems) {
        Set<String> names = new TreeSet<>();
        for (Exception error : errors) {
            if (error instanceof MissingParameterException missing) {
                for (ArgSpec argument : missing.getMissing()) {
                    if (argument instanceof OptionSpec option && names.add(option.longestName())) {
                        problems.addLine(option.longestName() + ": has no value, expected " + expected(option));
                    }
                }
            } else if (error instanceof CommandLine.ParameterException invalid
                    && invalid.getArgSpec() instanceof OptionSpec option
                    && invalid.getValue() != null) {
                problems.addLine(option.longestName() + ": invalid value \"" + invalid.getValue() + "\", expected "
                        + expected(option));
            } else if (!(error instanceof CommandLine.UnmatchedArgumentException)) {
                problems.addLine(String.valueOf(error.getMessage()));
            }
        }
        return names;
    }

    private String expected(OptionSpec option) {
        @Nullable Flag<?> flag = flags.byName().get(option.longestName().substring(2));
        return flag == null ? "none" : flag.expected();
    }

    /** Adds the unknown arguments; after a misspelled command, which has other flags, all other problems would mislead. */
    private void unmatched(List<String> arguments, FlagProblems problems) throws UsageException {
        for (String argument : arguments) {
            if (!argument.startsWith("-") || argument.equals("-") || argument.equals("--")) {
                String unexpected = "\"" + argument + "\": unexpected argument, ";
                Optional<String> command = closest(argument, flags.help().commands());
                if (command.isPresent()) {
                    throw new UsageException(List.of(unexpected + "did you mean the command " + command.get() + "?"));
                }
                problems.addLine(unexpected + "expected flags only");
                continue;
            }
            String name = argument.split("=", 2)[0];
            Collection<String> known = new TreeSet<>(flags.byName().keySet());
            known.add(HELP);
            known.add(VERSION);
            Optional<String> meant = closest(name.replaceFirst("^-+", ""), known);
            problems.addLine(name + ": unknown flag, "
                    + meant.map(flag -> "did you mean --" + flag + "?").orElse("see --help"));
        }
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
