package io.plat.cli;

import io.plat.cli.access.CanICommand;
import io.plat.cli.command.HelpTexts;
import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.command.UsageMessages;
import io.plat.cli.manual.Completer;
import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.cli.output.TerminalWriter;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.Environment;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.server.ClassPreloading;
import io.plat.review.source.Quoted;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

/** The main class: runs a command, and reports failures. */
public final class Plat {
    /** Message of the JDK if the reader of a pipe is gone. */
    private static final String CLOSED_PIPE = "Broken pipe";

    private Plat() {}

    /** Runs the program and ends the process with its status. */
    public static void main(String[] arguments) {
        int status = ExitStatus.UNDETERMINED;
        try {
            Environment environment = new Environment(
                    System.getenv(),
                    Path.of(Objects.requireNonNullElse(System.getenv("HOME"), System.getProperty("user.home"))),
                    System.in,
                    Colour.isEnabled(System.getenv()),
                    Boolean.getBoolean("plat.terminal"),
                    System.getProperty("plat.name", "plat"),
                    InstantSource.system());
            OutputStream out = new FileOutputStream(FileDescriptor.out);
            status = run(environment, out, new FileOutputStream(FileDescriptor.err), arguments);
        } finally {
            // If even reporting a failure failed, the JVM's own exit code would mean "no".
            System.exit(status);
        }
    }

    /** Runs the program and returns its exit code. Failures are reported in lines on stderr, and nothing is thrown. */
    static int run(Environment environment, OutputStream out, OutputStream err, String... arguments) {
        TerminalWriter answer = new TerminalWriter(out, environment.colour());
        PrintWriter answers = new PrintWriter(answer);
        PrintWriter problems = new PrintWriter(new TerminalWriter(err, environment.colour()));
        int status;
        try {
            status = arguments.length > 0 && arguments[0].equals(Completer.WORD)
                    ? complete(environment, answers, arguments)
                    : execute(environment, answers, problems, arguments);
        } catch (Throwable defect) {
            // The JVM would end with 1, which means "no".
            status = failed(defect, problems);
        }
        answers.flush();
        return answer.failure().map(e -> writeFailed(e, problems)).orElse(status);
    }

    private static int execute(Environment environment, PrintWriter out, PrintWriter err, String... arguments) {
        boolean usualFormat = !environment.variables().containsKey(Program.FORMAT);
        Optional<CanICommand> plain = usualFormat ? CanICommand.plain(arguments) : Optional.empty();
        if (plain.isEmpty()) {
            String[] normalized = Commands.normalized(arguments);
            return commandLine(environment, out, err, normalized).execute(normalized);
        }
        ClassPreloading.begin();
        return plain.get().run(new Program(environment, out, err));
    }

    /** Completes the words after the first one, for the shells' scripts; a failure completes nothing. */
    private static int complete(Environment environment, PrintWriter out, String... arguments) {
        PrintWriter discarded = new PrintWriter(Writer.nullWriter());
        new Completer(commandLine(environment, discarded, discarded), environment)
                .complete(List.of(arguments).subList(1, arguments.length))
                .forEach(line -> out.print(line + "\n"));
        return ExitStatus.YES;
    }

    /** Handles a failed write; a reader that has enough, such as {@code head}, is not an error. */
    private static int writeFailed(IOException failure, PrintWriter err) {
        return CLOSED_PIPE.equals(failure.getMessage())
                ? ExitStatus.UNDETERMINED
                : failed(CommandException.io("cannot write to standard output", failure), err);
    }

    /**
     * Returns the program as a command line, ready to execute without ending the process.
     *
     * @param arguments its arguments; none for a program with every command
     */
    public static CommandLine commandLine(
            Environment environment, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine program = new CommandLine(new Program(environment, out, err));
        Commands.add(program, arguments);
        return program.setCommandName(environment.name())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setUsageHelpAutoWidth(false)
                .setUsageHelpWidth(100)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Plat::execute)
                .setParameterExceptionHandler(Plat::wrongCommandLine)
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command.getErr()));
    }

    /** Refuses a format that a command does not have before the command runs. */
    private static int execute(ParseResult parsed) {
        CommandLine command = parsed.asCommandLineList().getLast();
        Program plat = Program.of(command.getCommandSpec());
        String word = plat.formatWord();
        List<String> known = PlatCommand.formats(command);
        if (!known.contains(word)) {
            String problem =
                    plat.formatSource() + ": expected one of " + String.join(", ", known) + ", found \"" + word + "\"";
            throw new ParameterException(command, problem, CommandException.usage(problem));
        }
        if (parsed.asCommandLineList().stream().anyMatch(CommandLine::isUsageHelpRequested)) {
            // The parser reports no unknown word besides a request for help.
            List<String> unknown = command.getUnmatchedArguments();
            if (!unknown.isEmpty()) {
                throw new UnmatchedArgumentException(command, unknown);
            }
            HelpTexts.addTo(parsed.asCommandLineList().getFirst());
        }
        return new RunLast().execute(parsed);
    }

    private static int wrongCommandLine(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (failure.getCause() instanceof CommandException expected) {
            return failed(expected, err);
        }
        print(UsageMessages.of(failure), err);
        List<String> suggestions = UsageMessages.suggestions(failure);
        if (!suggestions.isEmpty()) {
            err.print("did you mean: " + String.join(", ", suggestions) + "?\n");
        }
        err.print("try \"" + command.getCommandSpec().qualifiedName() + " --help\"\n");
        err.flush();
        return ExitStatus.USAGE;
    }

    private static int failed(Throwable failure, PrintWriter err) {
        int status = ExitStatus.UNDETERMINED;
        switch (failure) {
            case CommandException expected -> {
                Report.bounded(String.valueOf(expected.getMessage()).lines().toList())
                        .forEach(line -> print(line, err));
                status = expected.exitStatus();
            }
            case OutOfMemoryError full -> print("out of memory: " + full.getMessage(), err);
            // A defect of this program: the class of the exception is needed for a bug report.
            default -> print("internal error: " + failure, err);
        }
        err.flush();
        return status;
    }

    private static void print(String line, PrintWriter err) {
        err.print("plat: " + Quoted.oneLine(line) + "\n");
    }
}
