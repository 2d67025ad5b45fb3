package io.plat.cli;

import io.plat.cli.access.CanICommand;
import io.plat.cli.access.MatrixCommand;
import io.plat.cli.access.ReviewCommand;
import io.plat.cli.access.WhoAmICommand;
import io.plat.cli.access.WhoCanCommand;
import io.plat.cli.access.WhyCommand;
import io.plat.cli.command.Program;
import io.plat.cli.convert.ConvertCommand;
import io.plat.cli.diff.DiffCommand;
import io.plat.cli.drill.DrillCommand;
import io.plat.cli.lint.LintCommand;
import io.plat.cli.manual.CompletionCommand;
import io.plat.cli.manual.ManCommand;
import io.plat.cli.pki.PkiCommand;
import io.plat.cli.policytest.TestCommand;
import io.plat.cli.replay.ReplayCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The commands. Only those in the arguments are looked up, as the classes of the others, and reading their flags, would be most of the cost of a
 * short run.
 */
final class Commands {
    /** Their names, in the order in which help lists them. */
    private static final List<String> NAMES = List.of(
            "can-i",
            "why",
            "who-can",
            "matrix",
            "diff",
            "lint",
            "convert",
            "test",
            "replay",
            "drill",
            "review",
            "whoami",
            "pki",
            "completion",
            "man");

    private static final Set<String> LEVEL = Set.of("-v", "--v");

    /** Flags of commands that may precede the command's name, as in kubectl; the first four take a value. */
    private static final List<String> LEADING =
            List.of("-n", "--namespace", "--as", "--as-group", "-A", "--all-namespaces", "-h", "--help");

    private static final Set<String> VERSION = Set.of("-V", "--version");

    private static final Set<String> NEEDING_ALL = Set.of("man", "completion");

    private Commands() {}

    private static Class<?> type(String name) {
        return switch (name) {
            case "can-i" -> CanICommand.class;
            case "why" -> WhyCommand.class;
            case "who-can" -> WhoCanCommand.class;
            case "matrix" -> MatrixCommand.class;
            case "diff" -> DiffCommand.class;
            case "lint" -> LintCommand.class;
            case "convert" -> ConvertCommand.class;
            case "test" -> TestCommand.class;
            case "replay" -> ReplayCommand.class;
            case "drill" -> DrillCommand.class;
            case "review" -> ReviewCommand.class;
            case "whoami" -> WhoAmICommand.class;
            case "pki" -> PkiCommand.class;
            case "completion" -> CompletionCommand.class;
            case "man" -> ManCommand.class;
            default -> throw new IllegalArgumentException("no command: " + name);
        };
    }

    /**
     * Returns the arguments in the form that the parser knows: a flag of a command follows the command's name, {@code help} and
     * {@code version} are flags, and {@code -v} has its level, so that the next word is never parsed as a level.
     */
    static String[] normalized(String... arguments) {
        List<String> words = new ArrayList<>();
        List<String> moved = new ArrayList<>();
        int next = 0;
        while (next < arguments.length && !NAMES.contains(arguments[next])) {
            int leading = LEADING.indexOf(arguments[next].replaceFirst("=.*", ""));
            boolean value = leading >= 0 && leading < 4 && !arguments[next].contains("=");
            for (int end = Math.min(arguments.length, next + (value ? 2 : 1)); next < end; next++) {
                (leading < 0 ? words : moved).add(arguments[next]);
            }
        }
        words.addAll(List.of(arguments).subList(next, arguments.length));
        words.addAll(Math.min(words.size(), next - moved.size() + 1), moved);
        String first = words.isEmpty() ? "help" : words.getFirst();
        if (first.equals("help") || first.equals("version")) {
            words = new ArrayList<>(words.subList(Math.min(1, words.size()), words.size()));
            words.add("--" + first);
        }
        words.replaceAll(word -> LEVEL.contains(word) ? word + "=" + Program.DEFAULT_LEVEL : word);
        return words.toArray(String[]::new);
    }

    /**
     * Adds the command that the arguments name; none if they begin with the version flag; all if they name none, or one that describes the
     * others. The value of a flag may equal the name of a command.
     */
    static void add(CommandLine program, String... arguments) {
        if (arguments.length > 0 && VERSION.contains(arguments[0])) {
            return;
        }
        String named = named(program, arguments);
        boolean all = named == null || NEEDING_ALL.contains(named);
        for (String name : NAMES) {
            if (all || name.equals(named)) {
                program.addSubcommand(name, type(name));
            }
        }
    }

    private static @Nullable String named(CommandLine program, String... arguments) {
        String before = "";
        for (String argument : arguments) {
            if (!takesValue(program, before) && NAMES.contains(argument)) {
                return argument;
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
