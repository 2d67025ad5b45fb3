package io.plat.cli.pki;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.tls.pki.CertificateAuthority;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plat pki init}: a new authority in a folder. */
@Command(
        name = "init",
        mixinStandardHelpOptions = true,
        description = "Makes a certificate authority: ca.crt and ca.key in a folder.",
        footer = {"", "Example:", "  plat pki init --dir pki"})
final class InitCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--dir", paramLabel = "FOLDER", required = true, description = "made where it is missing")
    private Path folder = Path.of("");

    @Option(names = "--cn", paramLabel = "NAME", description = "the authority's name (default ${DEFAULT-VALUE})")
    private String commonName = "plat development authority";

    @Option(names = "--days", paramLabel = "N", description = "how long it is valid (default ${DEFAULT-VALUE})")
    private long days = 3650;

    @Option(names = "--force", description = "replace an authority that is there")
    private boolean force;

    @Override
    public Integer call() {
        PairFiles files = new PairFiles(folder, "ca");
        CertificateAuthority authority;
        try {
            authority = CertificateAuthority.create(commonName, PairFiles.days(days), InstantSource.system());
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
        files.write(authority.identity(), force);
        Written.print(spec, files);
        return ExitStatus.YES;
    }
}
