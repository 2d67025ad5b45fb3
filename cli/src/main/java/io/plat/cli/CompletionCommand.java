package io.plat.cli;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code plat completion}: a script that completes plat's commands and flags. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a completion script.",
        footer = {"", "Example:", "  source <(plat completion bash)"})
final class CompletionCommand implements Callable<Integer> {
    /** The shells. Zsh reads the same script through its bashcompinit, which the script itself turns on. */
    enum Shell {
        bash,
        zsh
    }

    @ParentCommand
    private @Nullable Plat plat;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        if (spec == null) {
            throw new IllegalStateException("a command runs under a command line");
        }
        String script = switch (shell) {
            case bash, zsh -> AutoComplete.bash("plat", spec.root().commandLine());
        };
        Plat.of(plat).report().print(script.stripTrailing());
        return ExitStatus.YES;
    }
}
