package io.plat.cli;

import io.plat.cli.output.OutputFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** Refuses a format that a command does not have before the command runs. */
public final class OutputFormats {
    private OutputFormats() {}

    static void check(ParseResult parsed) {
        CommandLine command = parsed.asCommandLineList().getLast();
        String word = Plat.of(command.getCommandSpec()).formatWord();
        List<String> known = of(command);
        if (!known.contains(word)) {
            String problem = "--output: expected one of " + String.join(", ", known) + ", found \"" + word + "\"";
            throw new ParameterException(command, problem, CommandException.usage(problem));
        }
    }

    /** The formats of a command. */
    public static List<String> of(CommandLine command) {
        List<String> known = new ArrayList<>(
                Arrays.stream(OutputFormat.values()).map(OutputFormat::toString).toList());
        if (command.getCommand() instanceof FurtherFormats more) {
            known.addAll(more.furtherFormats());
        }
        return known;
    }
}
