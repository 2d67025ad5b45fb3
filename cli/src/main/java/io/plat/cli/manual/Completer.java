package io.plat.cli.manual;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.cli.request.ApiResource;
import io.plat.cli.request.DiscoveredTypes;
import io.plat.cli.request.KnownVerbs;
import io.plat.cli.request.ResourceTypes;
import io.plat.cli.request.ServedNames;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerChoice;
import io.plat.cli.server.Trace;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Completes the last argument of a command line.
 *
 * @param program the command line of plat, with all commands
 */
public record Completer(CommandLine program, Environment environment) {
    /** The argument that requests completions. */
    public static final String WORD = "__complete";

    private static final String FILES = ":0";
    private static final String NO_FILES = ":4";

    /**
     * Arguments before the completed one.
     *
     * @param command the command that they name so far
     * @param connection the server that they name
     * @param words the positional ones, after the command's name
     */
    private record ParsedArguments(CommandLine command, ConnectionOptions connection, List<String> words) {}

    /**
     * Returns the lines for a shell.
     *
     * @param words words before the cursor; the last one is being typed and may be empty
     */
    public List<String> complete(List<String> words) {
        String last = words.isEmpty() ? "" : words.getLast();
        List<String> before = words.isEmpty() ? words : words.subList(0, words.size() - 1);
        ParsedArguments typed = read(before);
        OptionSpec pending = before.isEmpty() ? null : option(typed, before.getLast());
        if (pending != null && pending.arity().min() > 0) {
            return values(pending, read(before.subList(0, before.size() - 1)), last, "");
        }
        int sign = last.indexOf('=');
        if (last.startsWith("-") && sign > 0) {
            OptionSpec option = option(typed, last.substring(0, sign));
            return option == null
                    ? List.of(NO_FILES)
                    : values(option, typed, last.substring(sign + 1), last.substring(0, sign + 1));
        }
        CommandSpec command = typed.command().getCommandSpec();
        if (last.startsWith("-")) {
            List<String> flags = command.options().stream()
                    .filter(option -> !option.hidden())
                    .map(OptionSpec::longestName)
                    .toList();
            return matching(flags, last, "", NO_FILES);
        }
        if (typed.words().isEmpty() && !command.subcommands().isEmpty()) {
            return matching(command.subcommands().keySet(), last, "", NO_FILES);
        }
        return command.positionalParameters().stream()
                .filter(parameter -> parameter.index().contains(typed.words().size()))
                .findFirst()
                .map(parameter -> values(parameter, typed, last, ""))
                .orElse(List.of(NO_FILES));
    }

    /** Parses arguments as the program does, except for invalid or missing ones. */
    private ParsedArguments read(List<String> words) {
        lenient(program);
        ParseResult parsed = program.parseArgs(words.toArray(String[]::new));
        ConnectionOptions options = new ConnectionOptions();
        CommandLine reader = new CommandLine(options).setOverwrittenOptionsAllowed(true);
        List<String> connection = new ArrayList<>();
        while (true) {
            for (OptionSpec option : parsed.matchedOptions()) {
                if (reader.getCommandSpec().findOption(option.longestName()) != null) {
                    connection.addAll(List.of(
                            option.longestName(), option.originalStringValues().getLast()));
                }
            }
            if (!parsed.hasSubcommand()) {
                break;
            }
            parsed = parsed.subcommand();
        }
        List<String> plain = new ArrayList<>();
        parsed.matchedPositionals().forEach(each -> plain.addAll(each.originalStringValues()));
        plain.addAll(parsed.unmatched());
        reader.parseArgs(connection.toArray(String[]::new));
        return new ParsedArguments(parsed.commandSpec().commandLine(), options, plain);
    }

    private static void lenient(CommandLine command) {
        command.getCommandSpec()
                .parser()
                .collectErrors(true)
                .unmatchedArgumentsAllowed(true)
                .overwrittenOptionsAllowed(true);
        command.getSubcommands().values().forEach(Completer::lenient);
    }

    private static @Nullable OptionSpec option(ParsedArguments typed, String word) {
        return word.startsWith("-") ? typed.command().getCommandSpec().findOption(word) : null;
    }

    private List<String> values(ArgSpec argument, ParsedArguments typed, String started, String prefix) {
        String what = argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
        ServerCompletions server = new ServerCompletions(typed.connection(), environment);
        Collection<String> candidates = switch (what) {
            case "--namespace" -> server.namespaces();
            case "--context" -> server.contexts();
            case "--output" -> PlatCommand.formats(typed.command());
            case "--verbs", "VERB" -> KnownVerbs.OF_RESOURCES;
            case "--subresource" -> server.subresources(typed.words());
            case "COMMAND" -> program.getSubcommands().keySet();
            default -> what.startsWith("RESOURCE") ? server.types(started) : declared(argument);
        };
        return matching(candidates, started, prefix, namesFiles(argument) ? FILES : NO_FILES);
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

    private static List<String> matching(
            Collection<String> candidates, String started, String prefix, String directive) {
        List<String> lines = new ArrayList<>(candidates.stream()
                .filter(candidate -> candidate.startsWith(started))
                .distinct()
                .sorted()
                .map(candidate -> prefix + candidate)
                .toList());
        lines.add(directive);
        return lines;
    }

    /**
     * Completions from a server; none if it does not respond within two seconds. Names that Kubernetes does not allow, such as {@code
     * $(…)}, are not offered: a shell would execute them.
     */
    record ServerCompletions(ConnectionOptions flags, Environment environment) {
        private static final String LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
        private static final Predicate<String> NAMESPACE =
                Pattern.compile(LABEL).asMatchPredicate();
        private static final Predicate<String> TYPE = Pattern.compile(
                        LABEL + "(\\." + LABEL + ")*(/" + LABEL + "(/" + LABEL + ")*)?")
                .asMatchPredicate();

        /** Tools name contexts after users, clusters and resource names. */
        private static final Predicate<String> CONTEXT =
                Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/@+-]*").asMatchPredicate();

        /** Returns the result of a query to the server; empty if it is unavailable. */
        private <T> List<T> query(Function<HttpsConnection, List<T>> query) {
            try {
                Trace silent = new Trace(() -> new PrintWriter(Writer.nullWriter()), 0);
                return query.apply(
                        ServerChoice.of(flags, environment, "").connect(silent).withShortTimeout());
            } catch (CommandException | InvalidPathException unavailable) {
                return List.of();
            }
        }

        List<String> contexts() {
            try {
                return ServerChoice.contexts(flags, environment).stream()
                        .filter(CONTEXT)
                        .toList();
            } catch (InvalidPathException none) {
                return List.of();
            }
        }

        List<String> namespaces() {
            return query(ServedNames::namespaces).stream().filter(NAMESPACE).toList();
        }

        /** Returns resource types, and after a slash their subresources. */
        Collection<String> types(String started) {
            List<ApiResource> types = new ArrayList<>(ResourceTypes.builtIn().all());
            types.addAll(query(server -> new DiscoveredTypes(server).types(null)));
            int slash = started.indexOf('/');
            Set<String> words = new TreeSet<>();
            for (ApiResource type : types) {
                String word = word(type, words);
                if (slash < 0) {
                    words.add(word);
                } else if (started.startsWith(word + "/") || started.startsWith(type.resource() + "/")) {
                    type.subresources().forEach(part -> words.add(started.substring(0, slash + 1) + part));
                }
            }
            words.removeIf(TYPE.negate());
            return words;
        }

        /** Returns the bare name, if no earlier type has it, else the name with the group. */
        private static String word(ApiResource type, Set<String> names) {
            return type.group().isEmpty() || !names.contains(type.resource())
                    ? type.resource()
                    : type.resource() + "." + type.group();
        }

        /** Returns the subresources of the requested type. */
        Collection<String> subresources(List<String> request) {
            if (request.size() < 2) {
                return List.of();
            }
            String word = request.get(1).replaceAll("[./].*", "");
            return ResourceTypes.builtIn()
                    .find(word)
                    .map(ApiResource::subresources)
                    .orElse(Set.of());
        }
    }
}
