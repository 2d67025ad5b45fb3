package io.plat.cli;

import io.plat.cli.cani.CanICommand;
import io.plat.cli.completion.Completer;
import io.plat.cli.completion.CompletionCommand;
import io.plat.cli.convert.ConvertCommand;
import io.plat.cli.diff.DiffCommand;
import io.plat.cli.drill.DrillCommand;
import io.plat.cli.lint.LintCommand;
import io.plat.cli.manual.ManCommand;
import io.plat.cli.matrix.MatrixCommand;
import io.plat.cli.output.AnswerStream;
import io.plat.cli.output.Colour;
import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.Progress;
import io.plat.cli.output.Report;
import io.plat.cli.output.TerminalWriter;
import io.plat.cli.pki.PkiCommand;
import io.plat.cli.policytest.TestCommand;
import io.plat.cli.replay.ReplayCommand;
import io.plat.cli.server.Ahead;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerChoice;
import io.plat.cli.server.Trace;
import io.plat.cli.why.WhoCanCommand;
import io.plat.cli.why.WhyCommand;
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
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** The program plat: its commands, the flags that all of them share, and what becomes of a failure. */
@Command(
        name = "plat",
        description = "Asks who may do what: an API server, a decider, or policy files.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false,
        footer = {
            "",
            "Exit status: 0 yes, 1 no, 2 wrong command line, 3 could not tell.",
        })
public final class Plat {
    /** How the JDK says that nobody reads what is written. */
    private static final String CLOSED_PIPE = "Broken pipe";

    /** The variable that says in which format answers are, where no flag does. */
    private static final String FORMAT = "PLAT_OUTPUT";

    /**
     * Every command by its name. Those alone whose names were typed are looked up, as the classes of the others, and reading their flags,
     * would be most of what a short run costs.
     */
    private static final Commands COMMANDS = new Commands(
            List.of(
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
                    "man"),
            name -> switch (name) {
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
            });

    private final Surroundings surroundings;
    private final PrintWriter out;
    private final PrintWriter err;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT,
            description = "text, json or yaml; some commands know more ($PLAT_OUTPUT, text)")
    private @Nullable String format;

    @Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            arity = "0..1",
            fallbackValue = "8",
            preprocessor = OptionalLevel.class,
            scope = ScopeType.INHERIT,
            description =
                    "print what is asked and answered: requests from 1 on, reviews too from 8 on (without LEVEL: 8)")
    private int verbosity;

    private Plat(Surroundings surroundings, PrintWriter out, PrintWriter err) {
        this.surroundings = surroundings;
        this.out = out;
        this.err = err;
    }

    /** Runs the program and ends the process with its status. */
    public static void main(String[] arguments) {
        int status = ExitStatus.COULD_NOT_TELL;
        try {
            Surroundings here = new Surroundings(
                    System.getenv(),
                    Path.of(Objects.requireNonNullElse(System.getenv("HOME"), System.getProperty("user.home"))),
                    System.in,
                    Colour.wanted(System.getenv()),
                    Boolean.getBoolean("plat.terminal"),
                    System.getProperty("plat.name", "plat"),
                    InstantSource.system());
            OutputStream out = new FileOutputStream(FileDescriptor.out);
            status = run(here, out, new FileOutputStream(FileDescriptor.err), arguments);
        } finally {
            // Where even telling of a failure failed, the JVM's own status would mean "no".
            System.exit(status);
        }
    }

    /** Runs the program to its end; its exit status. Whatever happens is told in lines on stderr, and nothing is thrown. */
    static int run(Surroundings surroundings, OutputStream out, OutputStream err, String... arguments) {
        AnswerStream answer = new AnswerStream(out);
        PrintWriter answers = new PrintWriter(new TerminalWriter(answer, surroundings.colour()));
        PrintWriter problems = new PrintWriter(new TerminalWriter(err, surroundings.colour()));
        int status;
        try {
            status = arguments.length > 0 && arguments[0].equals(Completer.WORD)
                    ? complete(surroundings, answers, arguments)
                    : execute(surroundings, answers, problems, arguments);
        } catch (Throwable defect) {
            // The JVM would end with 1, which means "no".
            status = failed(defect, problems);
        }
        answers.flush();
        return answer.failure().map(e -> unwritten(e, problems)).orElse(status);
    }

    private static int execute(Surroundings surroundings, PrintWriter out, PrintWriter err, String... arguments) {
        boolean usualFormat = !surroundings.environment().containsKey(FORMAT);
        Optional<CanICommand> plain = usualFormat ? CanICommand.plain(arguments) : Optional.empty();
        if (plain.isEmpty()) {
            return commandLine(surroundings, out, err, arguments).execute(arguments);
        }
        Ahead.begin();
        return plain.get().call(new Plat(surroundings, out, err));
    }

    /** Completes the words after the first, for the shells' scripts; what goes wrong completes nothing. */
    private static int complete(Surroundings surroundings, PrintWriter out, String... arguments) {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        new Completer(commandLine(surroundings, nowhere, nowhere), surroundings)
                .complete(List.of(arguments).subList(1, arguments.length))
                .forEach(line -> out.print(line + "\n"));
        return ExitStatus.YES;
    }

    /** Who reads the answer and has enough of it, as {@code head}, is told nothing. */
    private static int unwritten(IOException failure, PrintWriter err) {
        return CLOSED_PIPE.equals(failure.getMessage())
                ? ExitStatus.COULD_NOT_TELL
                : failed(CommandException.couldNotTell("can't write to standard output: " + IoWords.of(failure)), err);
    }

    /**
     * The program as a command line, ready to execute: its status is the outcome, the process goes on.
     *
     * @param arguments those that it will be given; none for a program with every command
     */
    public static CommandLine commandLine(
            Surroundings surroundings, PrintWriter out, PrintWriter err, String... arguments) {
        CommandLine program = new CommandLine(new Plat(surroundings, out, err));
        COMMANDS.add(program, arguments);
        return program.setCommandName(surroundings.name())
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

    private static int execute(ParseResult parsed) {
        OutputFormats.check(parsed);
        return new RunLast().execute(parsed);
    }

    private static int wrongCommandLine(ParameterException failure, String[] arguments) {
        CommandLine command = failure.getCommandLine();
        PrintWriter err = command.getErr();
        if (failure.getCause() instanceof CommandException expected) {
            return failed(expected, err);
        }
        print(WrongWords.of(failure), err);
        if (failure instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            err.print("did you mean: " + String.join(", ", unmatched.getSuggestions()) + "?\n");
        }
        err.print("try \"" + command.getCommandSpec().qualifiedName() + " --help\"\n");
        err.flush();
        return ExitStatus.USAGE;
    }

    private static int failed(Throwable failure, PrintWriter err) {
        int status = ExitStatus.COULD_NOT_TELL;
        switch (failure) {
            case CommandException expected -> {
                String.valueOf(expected.getMessage()).lines().forEach(line -> print(line, err));
                status = expected.exitStatus();
            }
            case OutOfMemoryError full -> print("out of memory: " + full.getMessage(), err);
            // A defect of this program: its class is what a report of it needs.
            default -> print("internal error: " + failure, err);
        }
        err.flush();
        return status;
    }

    private static void print(String line, PrintWriter err) {
        err.print("plat: " + Quoted.oneLine(line) + "\n");
    }

    /** The program that a command belongs to; picocli sets it before the command runs. */
    static Plat of(@Nullable Plat parent) {
        return Objects.requireNonNull(parent, "a command runs under plat");
    }

    /** The program at the root of a command line. */
    public static Plat of(@Nullable CommandSpec command) {
        if (command != null && command.root().userObject() instanceof Plat plat) {
            return plat;
        }
        throw new IllegalStateException("a command runs under plat");
    }

    /** Where the command's words go. */
    public Report report() {
        return new Report(out, err, surroundings.colour());
    }

    /** The word of {@code -o}; one that the command knows, as others were refused before it ran. */
    public String formatWord() {
        String word = format == null ? surroundings.environment().getOrDefault(FORMAT, "text") : format;
        return word.toLowerCase(Locale.ROOT);
    }

    /** The format that was asked for, of those that every command knows; text where it is one of the command's own. */
    public OutputFormat format() {
        return OutputFormat.of(formatWord()).orElse(OutputFormat.TEXT);
    }

    /**
     * Shows how far a long piece of work is, on a terminal; nowhere else.
     *
     * @param total how many steps there are, or -1 where that is not known
     */
    public Progress progress(String task, long total) {
        return Progress.begin(task, total, surroundings.terminal() ? err : null);
    }

    /** What the run found around it. */
    public Surroundings surroundings() {
        return surroundings;
    }

    /**
     * The server that flags, environment and files name.
     *
     * @param own the flags after the command's name, which win
     * @throws CommandException if they name none that can be used
     */
    public ServerChoice serverChoice(ConnectionOptions own) {
        return ServerChoice.of(own.over(connection), surroundings);
    }

    /**
     * That server, ready to be asked.
     *
     * @throws CommandException if none is named that can be used
     */
    public HttpsConnection connect(ConnectionOptions own) {
        return serverChoice(own).connect(trace());
    }

    /** Tells what is asked and answered, where that is wanted. */
    public Trace trace() {
        return new Trace(() -> err, verbosity);
    }
}
