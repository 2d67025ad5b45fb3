package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.tls.pki.CertificateAuthority;
import java.nio.file.Path;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code plat pki init}: a new authority in a folder. */
@Command(name = "init", mixinStandardHelpOptions = true)
final class InitCommand extends PlatCommand {
    @Option(names = "--dir", paramLabel = "FOLDER", required = true)
    private Path folder = Path.of("");

    @Option(names = "--cn", paramLabel = "NAME")
    private String commonName = "plat development authority";

    @Option(names = "--days", paramLabel = "N")
    private long days = 3650;

    @Option(names = "--force")
    private boolean force;

    @Override
    public int run(Program plat) {
        PairFiles files = new PairFiles(folder, "ca");
        CertificateAuthority authority;
        try {
            authority = CertificateAuthority.create(commonName, PairFiles.days(days), InstantSource.system());
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
        files.write(authority.identity(), force);
        files.printTo(plat.report());
        return ExitStatus.YES;
    }
}
