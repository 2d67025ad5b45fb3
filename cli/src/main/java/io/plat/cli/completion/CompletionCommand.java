package io.plat.cli.completion;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.ExitStatus;
import io.plat.cli.process.ResourceText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The command {@code plat completion}: a script that completes plat's commands, flags and their arguments. */
@Command(name = "completion", mixinStandardHelpOptions = true)
public final class CompletionCommand extends PlatCommand {
    /** The shells. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Parameters(paramLabel = "SHELL")
    private Shell shell = Shell.bash;

    @Override
    public int run(Program plat) {
        plat.report().print(ResourceText.read("completion." + shell).stripTrailing());
        return ExitStatus.YES;
    }
}
