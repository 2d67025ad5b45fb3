package io.plat.cli.command;

import io.plat.cli.output.OutputFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command of plat: picocli sets its flags, and {@link #run} executes it. */
public abstract class PlatCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public final Integer call() {
        return run(Program.of(spec));
    }

    /**
     * Runs as a command of a program.
     *
     * @return the exit status
     * @throws io.plat.cli.process.CommandException if it fails
     */
    public abstract int run(Program plat);

    /** Returns additional values of {@code -o} for this command, in lower case. */
    protected List<String> additionalFormats() {
        return List.of();
    }

    protected CommandLine root() {
        return Objects.requireNonNull(spec).root().commandLine();
    }

    /** Returns the failure of a command line without these arguments; its report refers to the command's help. */
    protected ParameterException missing(String arguments) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), "missing " + arguments);
    }

    /** Returns all values of {@code -o} for a command. */
    public static List<String> formats(CommandLine command) {
        List<String> known = new ArrayList<>();
        Stream.of(OutputFormat.values()).forEach(format -> known.add(format.toString()));
        if (command.getCommand() instanceof PlatCommand plat) {
            known.addAll(plat.additionalFormats());
        }
        return known;
    }
}
