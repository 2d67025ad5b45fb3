package io.plat.cli.completion;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The words before the one that is completed.
 *
 * @param command the command that they name so far
 * @param values the values of flags, by the flags' longest names
 * @param positionals the words that are no flags, after the command's name
 * @param pending the flag whose value comes next, or null
 */
record TypedWords(
        CommandLine command,
        Map<String, String> values,
        List<String> positionals,
        @Nullable OptionSpec pending) {
    TypedWords {
        values = Map.copyOf(values);
        positionals = List.copyOf(positionals);
    }

    static TypedWords read(CommandLine program, List<String> words) {
        CommandLine command = program;
        Map<String, String> values = new HashMap<>();
        List<String> positionals = new ArrayList<>();
        @Nullable OptionSpec pending = null;
        for (String word : words) {
            if (pending != null) {
                values.put(pending.longestName(), word);
                pending = null;
            } else if (word.startsWith("-") && word.length() > 1) {
                pending = flag(command, word, values);
            } else if (positionals.isEmpty() && command.getSubcommands().containsKey(word)) {
                command = command.getSubcommands().get(word);
            } else {
                positionals.add(word);
            }
        }
        return new TypedWords(command, values, positionals, pending);
    }

    /** Takes the value that is attached to a flag; the flag itself where its value comes next. */
    private static @Nullable OptionSpec flag(CommandLine command, String word, Map<String, String> values) {
        int sign = word.indexOf('=');
        OptionSpec option = command.getCommandSpec().findOption(sign < 0 ? word : word.substring(0, sign));
        if (option == null) {
            return null;
        }
        if (sign >= 0) {
            values.put(option.longestName(), word.substring(sign + 1));
            return null;
        }
        return option.arity().min() > 0 ? option : null;
    }
}
