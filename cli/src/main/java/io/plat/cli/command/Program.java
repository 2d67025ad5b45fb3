package io.plat.cli.command;

import io.plat.cli.output.OutputFormat;
import io.plat.cli.output.ProgressLine;
import io.plat.cli.output.Report;
import io.plat.cli.policy.PolicyDocuments;
import io.plat.cli.policy.PolicyPathReader;
import io.plat.cli.process.Environment;
import io.plat.cli.server.ConnectionOptions;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerChoice;
import io.plat.cli.server.Trace;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.source.Quoted;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The program plat as seen by its commands: shared flags and output. */
@Command(
        name = "plat",
        mixinStandardHelpOptions = true,
        versionProvider = Program.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        sortOptions = false)
public final class Program {
    /** The variable for the default output format. */
    public static final String FORMAT = "PLAT_OUTPUT";

    /** The level of a flag {@code -v} without one. */
    public static final String DEFAULT_LEVEL = "8";

    private final Environment environment;
    private final PrintWriter out;
    private final PrintWriter err;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            scope = ScopeType.INHERIT)
    private @Nullable String format;

    @Option(
            names = {"-v", "--v"},
            paramLabel = "LEVEL",
            arity = "0..1",
            fallbackValue = Program.DEFAULT_LEVEL,
            scope = ScopeType.INHERIT)
    private int verbosity;

    public Program(Environment environment, PrintWriter out, PrintWriter err) {
        this.environment = environment;
        this.out = out;
        this.err = err;
    }

    /** Output of {@code --version}. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"plat " + version("(not packaged)")};
        }
    }

    /** Returns the version of the program; a default if it is not packaged. */
    public static String version(String otherwise) {
        return Objects.requireNonNullElse(Program.class.getPackage().getImplementationVersion(), otherwise);
    }

    /** Returns the program at the root of a command line. */
    public static Program of(@Nullable CommandSpec command) {
        if (command != null && command.root().userObject() instanceof Program plat) {
            return plat;
        }
        throw new IllegalStateException("a command runs under plat");
    }

    /** Returns the destination of the command's output. */
    public Report report() {
        return new Report(out, err, environment.colour());
    }

    /** Returns the value of {@code -o}, which was validated before the command ran. */
    public String formatWord() {
        String word = format == null ? environment.variables().getOrDefault(FORMAT, "text") : format;
        return word.toLowerCase(Locale.ROOT);
    }

    /** Returns the flag or the variable that sets the format. */
    public String formatSource() {
        return format == null ? "$" + FORMAT : "--output";
    }

    /** Returns the requested format, if it is one that every command has; text if it is one of the command's own. */
    public OutputFormat format() {
        return OutputFormat.of(formatWord()).orElse(OutputFormat.TEXT);
    }

    /**
     * Prints an answer in the requested format.
     *
     * @param text prints it for people
     * @param document creates it as JSON
     */
    public void print(Consumer<Report> text, Supplier<byte[]> document) {
        switch (format()) {
            case TEXT -> text.accept(report());
            case JSON, YAML -> report().printDocument(document.get(), format());
        }
    }

    /**
     * Shows the progress of a long operation, on a terminal only.
     *
     * @param total number of steps, or -1 if unknown
     */
    public ProgressLine progress(String task, long total) {
        return ProgressLine.begin(task, total, environment.terminal() ? err : null);
    }

    /** Runs an operation of unknown length, and shows progress. */
    public <T> T withProgress(String task, Supplier<T> work) {
        try (ProgressLine _ = progress(task, -1)) {
            return work.get();
        }
    }

    public Environment environment() {
        return environment;
    }

    /**
     * Returns the server selected by flags, environment and configuration files.
     *
     * @param own flags after the command's name, which take precedence
     * @param alternative what the command accepts instead of a server, for its message; {@code ""} for nothing
     * @throws io.plat.cli.process.CommandException if they name none that can be used
     */
    public ServerChoice serverChoice(ConnectionOptions own, String alternative) {
        return ServerChoice.of(own.over(connection), environment, alternative);
    }

    /** Returns the namespace of requests that name none, without a server. */
    public String namespace(ConnectionOptions own) {
        return ServerChoice.namespace(own.over(connection), environment);
    }

    /**
     * Returns a connection to the server, ready for requests.
     *
     * @throws io.plat.cli.process.CommandException if no usable one is configured
     */
    public HttpsConnection connect(ConnectionOptions own) {
        return serverChoice(own, "").connect(trace());
    }

    /** Returns the trace of requests and responses, if enabled. */
    public Trace trace() {
        return new Trace(() -> err, verbosity);
    }

    /**
     * Reads paths as one policy, and warns of ignored parts.
     *
     * @throws io.plat.cli.process.CommandException with every problem of every file
     */
    public PolicyDocuments policy(List<Path> paths) {
        PolicyDocuments policy = withProgress("loading", () -> PolicyPathReader.read(paths));
        report().warn(policy.warnings());
        if (!paths.isEmpty() && policy.isEmpty()) {
            report().warn(PolicyDocuments.NOTHING);
        }
        return policy;
    }

    /** Warns of unreadable parts, so that a part is not taken for the whole. */
    public void warnUnexplained(Collection<UnexplainedAuthorizer> unexplained) {
        unexplained.forEach(member -> report().warn(Quoted.shortLine(member.authorizer())
                + " cannot be fully explained: " + Quoted.shortLine(member.reason())));
    }
}
