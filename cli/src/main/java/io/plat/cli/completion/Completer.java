package io.plat.cli.completion;

import io.plat.cli.OutputFormats;
import io.plat.cli.Surroundings;
import io.plat.cli.question.KnownVerbs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completes the last of some words. */
public final class Completer {
    /** The word that asks the program to complete others. */
    public static final String WORD = "__complete";

    private static final String FILES = ":0";
    private static final String NO_FILES = ":4";

    private final CommandLine program;
    private final Surroundings surroundings;

    /**
     * Completes the words of a program.
     *
     * @param program with all of its commands
     */
    public Completer(CommandLine program, Surroundings surroundings) {
        this.program = program;
        this.surroundings = surroundings;
    }

    /**
     * The lines for a shell.
     *
     * @param words those before the cursor, the last of which is being typed and may be empty
     */
    public List<String> complete(List<String> words) {
        String last = words.isEmpty() ? "" : words.getLast();
        TypedWords typed = TypedWords.read(program, words.isEmpty() ? words : words.subList(0, words.size() - 1));
        OptionSpec pending = typed.pending();
        if (pending != null) {
            return values(pending, typed, last, "");
        }
        int sign = last.indexOf('=');
        if (last.startsWith("-") && sign > 0) {
            OptionSpec option = typed.command().getCommandSpec().findOption(last.substring(0, sign));
            return option == null
                    ? List.of(NO_FILES)
                    : values(option, typed, last.substring(sign + 1), last.substring(0, sign + 1));
        }
        if (last.startsWith("-")) {
            return matching(flags(typed.command()), last, "", NO_FILES);
        }
        if (typed.positionals().isEmpty() && !typed.command().getSubcommands().isEmpty()) {
            return matching(typed.command().getSubcommands().keySet(), last, "", NO_FILES);
        }
        PositionalParamSpec parameter = parameter(typed);
        return parameter == null ? List.of(NO_FILES) : values(parameter, typed, last, "");
    }

    private static List<String> flags(CommandLine command) {
        List<String> names = new ArrayList<>();
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                names.add(option.longestName());
            }
        }
        return names;
    }

    private static @Nullable PositionalParamSpec parameter(TypedWords typed) {
        int index = typed.positionals().size();
        return typed.command().getCommandSpec().positionalParameters().stream()
                .filter(parameter -> parameter.index().contains(index))
                .findFirst()
                .orElse(null);
    }

    private List<String> values(ArgSpec argument, TypedWords typed, String begun, String prefix) {
        String what = argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
        ServerWords server = new ServerWords(typed.values(), surroundings);
        Collection<String> candidates = switch (what) {
            case "--namespace" -> server.namespaces();
            case "--context" -> server.contexts();
            case "--output" -> OutputFormats.of(typed.command());
            case "--verbs", "VERB" -> KnownVerbs.OF_RESOURCES;
            case "--subresource" -> server.subresources(typed.positionals());
            case "COMMAND" -> program.getSubcommands().keySet();
            default -> what.startsWith("RESOURCE") ? server.types(begun) : declared(argument);
        };
        return matching(candidates, begun, prefix, namesFiles(argument) ? FILES : NO_FILES);
    }

    private static List<String> declared(ArgSpec argument) {
        List<String> candidates = new ArrayList<>();
        if (argument.completionCandidates() != null) {
            argument.completionCandidates().forEach(candidates::add);
        }
        return candidates;
    }

    private static boolean namesFiles(ArgSpec argument) {
        Class<?> type = argument.auxiliaryTypes().length > 0 ? argument.auxiliaryTypes()[0] : argument.type();
        return type == Path.class || argument.paramLabel().matches("FILE.*|PATH.*|LOG|OLD|NEW|D|DIR");
    }

    private static List<String> matching(Collection<String> candidates, String begun, String prefix, String directive) {
        List<String> lines = new ArrayList<>(candidates.stream()
                .filter(candidate -> candidate.startsWith(begun))
                .distinct()
                .sorted()
                .map(candidate -> prefix + candidate)
                .toList());
        lines.add(directive);
        return lines;
    }
}
