package io.plat.cli;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;

/**
 * The commands of a program, looked up when they are needed.
 *
 * @param names their names, in the order in which help lists them
 * @param types their classes by name; asked for few of them
 */
record Commands(List<String> names, Function<String, Class<?>> types) {
    private static final Set<String> HELP = Set.of("-h", "--help");

    Commands {
        names = List.copyOf(names);
    }

    /**
     * Adds the commands that arguments may mean: every one of which they hold the name, as a value of a flag may be one too; all where
     * they hold none, or where help is asked for before the first.
     */
    void add(CommandLine program, String... arguments) {
        Set<String> typed = new LinkedHashSet<>(Arrays.asList(arguments));
        typed.retainAll(names);
        boolean all = typed.isEmpty() || helpFirst(arguments);
        for (String name : names) {
            if (all || typed.contains(name)) {
                program.addSubcommand(name, types.apply(name));
            }
        }
    }

    private boolean helpFirst(String... arguments) {
        for (String argument : arguments) {
            if (names.contains(argument)) {
                return false;
            }
            if (HELP.contains(argument)) {
                return true;
            }
        }
        return false;
    }
}
