package io.plat.cli.completion;

import io.plat.cli.ExitStatus;
import io.plat.cli.Plat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat completion}: a script that completes plat's commands, flags and what they are about. */
@Command(
        name = "completion",
        mixinStandardHelpOptions = true,
        description = "Prints a completion script.",
        footer = {
            "",
            "Examples:",
            "  source <(plat completion bash)",
            "  plat completion zsh > ~/.zsh/completions/_plat",
            "  plat completion fish > ~/.config/fish/completions/plat.fish"
        })
public final class CompletionCommand implements Callable<Integer> {
    /** The shells. */
    enum Shell {
        bash,
        zsh,
        fish
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}")
    private Shell shell = Shell.bash;

    @Override
    public Integer call() {
        Plat.of(spec).report().print(script(shell).stripTrailing());
        return ExitStatus.YES;
    }

    private static String script(Shell shell) {
        String name = "/io/plat/cli/completion." + shell;
        try (InputStream script = CompletionCommand.class.getResourceAsStream(name)) {
            if (script == null) {
                throw new IllegalStateException("missing from the program: " + name);
            }
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
