package io.plat.cli.pki;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code plat pki}: the group of its commands; by itself it is no command. */
@Command(
        name = "pki",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {InitCommand.class, IssueCommand.class, RenewCommand.class, ShowCommand.class})
public final class PkiCommand implements Runnable {
    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        if (spec == null) {
            throw new IllegalStateException("a command runs under a command line");
        }
        throw new ParameterException(spec.commandLine(), "missing COMMAND: init, issue, renew or show");
    }
}
