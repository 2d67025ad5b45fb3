package io.plat.cli.command;

import io.plat.review.source.NearestName;
import io.plat.review.source.Quoted;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Messages for an invalid command line in the style of the other messages: the expected and the actual argument. */
public final class UsageMessages {
    private UsageMessages() {}

    /** Returns the message, as one line. */
    public static String of(ParameterException failure) {
        ArgSpec argument = failure.getArgSpec();
        return switch (failure) {
            case UnmatchedArgumentException unmatched -> unmatched(unmatched);
            case MissingParameterException missing -> missing(missing);
            default ->
                argument == null
                                || failure.getValue() == null
                                || expected(argument).isEmpty()
                        ? unchanged(failure)
                        : name(argument) + ": expected " + expected(argument) + ", found "
                                + Quoted.of(failure.getValue());
        };
    }

    private static String unmatched(UnmatchedArgumentException failure) {
        String first = failure.getUnmatched().getFirst();
        if (failure.isUnknownOption()) {
            return "unknown flag " + Quoted.of(first);
        }
        boolean commands = !failure.getCommandLine().getSubcommands().isEmpty();
        return commands ? "no such command: " + Quoted.of(first) : "unexpected argument " + Quoted.of(first);
    }

    /** Returns the names that an unknown flag or command may stand for, the most similar first. */
    public static List<String> suggestions(ParameterException failure) {
        if (!(failure instanceof UnmatchedArgumentException unmatched)) {
            return List.of();
        }
        String word = unmatched.getUnmatched().getFirst().replaceFirst("=.*", "");
        if (!unmatched.isUnknownOption()) {
            Set<String> commands = failure.getCommandLine().getSubcommands().keySet();
            return NearestName.within(2, word, commands).stream().toList();
        }
        Stream<String> longer = failure.getCommandLine().getCommandSpec().options().stream()
                .map(OptionSpec::longestName)
                .filter(name -> word.startsWith("--") && name.endsWith(word.substring(1)));
        return Stream.concat(unmatched.getSuggestions().stream(), longer)
                .distinct()
                .sorted(Comparator.comparingInt(name -> NearestName.distance(word, name)))
                .toList();
    }

    private static String missing(MissingParameterException failure) {
        List<ArgSpec> missing = failure.getMissing();
        if (missing.size() == 1 && missing.getFirst() instanceof OptionSpec flag && !flag.required()) {
            return flag.longestName() + ": expected " + flag.paramLabel();
        }
        return "missing "
                + missing.stream()
                        .map(argument -> argument instanceof OptionSpec flag
                                ? flag.longestName() + " " + flag.paramLabel()
                                : argument.paramLabel())
                        .collect(Collectors.joining(" and "));
    }

    private static String name(ArgSpec argument) {
        return argument instanceof OptionSpec flag ? flag.longestName() : argument.paramLabel();
    }

    private static String expected(ArgSpec argument) {
        if (argument.paramLabel().contains("|")) {
            return "one of " + argument.paramLabel().replace("|", ", ");
        }
        Class<?> type = argument.typeInfo().getAuxiliaryTypes()[0];
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(String::valueOf)
                            .collect(Collectors.joining(", "));
        }
        return type == int.class || type == Integer.class || type == long.class || type == Long.class
                ? "a whole number"
                : "";
    }

    private static String unchanged(ParameterException failure) {
        String message = String.valueOf(failure.getMessage()).replace('\'', '"');
        Set<String> commands = failure.getCommandLine().getSubcommands().keySet();
        if (!commands.isEmpty() && message.equals("Missing required subcommand")) {
            return "missing COMMAND: " + String.join(", ", commands);
        }
        return message.isEmpty()
                ? "not understood"
                : message.substring(0, 1).toLowerCase(Locale.ROOT) + message.substring(1);
    }
}
