package io.plat.cli;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The commands of a program, looked up when they are needed.
 *
 * @param names their names, in the order in which help lists them
 * @param types their classes by name; asked for few of them
 */
record Commands(List<String> names, Function<String, Class<?>> types) {
    private static final Set<String> HELP = Set.of("-h", "--help");

    private static final Set<String> VERSION = Set.of("-V", "--version");

    /** Commands that are about the others. */
    private static final Set<String> ABOUT_ALL = Set.of("man");

    Commands {
        names = List.copyOf(names);
    }

    /**
     * Adds the command that arguments name; none where they begin by asking for the version; all where they name none, ask for help
     * before they do, or name one that is about the others.
     * The value of a flag may be called as a command is.
     */
    void add(CommandLine program, String... arguments) {
        if (arguments.length > 0 && VERSION.contains(arguments[0])) {
            return;
        }
        String named = named(program, arguments);
        boolean all = named == null || ABOUT_ALL.contains(named);
        for (String name : names) {
            if (all || name.equals(named)) {
                program.addSubcommand(name, types.apply(name));
            }
        }
    }

    private @Nullable String named(CommandLine program, String... arguments) {
        String before = "";
        for (String argument : arguments) {
            if (!takesValue(program, before)) {
                if (HELP.contains(argument)) {
                    return null;
                }
                if (names.contains(argument)) {
                    return argument;
                }
            }
            before = argument;
        }
        return null;
    }

    private static boolean takesValue(CommandLine program, String word) {
        OptionSpec option = word.startsWith("-") ? program.getCommandSpec().findOption(word) : null;
        return option != null && option.arity().min() > 0;
    }
}
