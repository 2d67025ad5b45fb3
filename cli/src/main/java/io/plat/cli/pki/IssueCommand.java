package io.plat.cli.pki;

import io.plat.cli.command.PlatCommand;
import io.plat.cli.command.Program;
import io.plat.cli.process.CommandException;
import io.plat.cli.process.ExitStatus;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plat pki issue}: a certificate for a server, a client or both. */
@Command(name = "issue", mixinStandardHelpOptions = true, sortOptions = false)
final class IssueCommand extends PlatCommand {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_@+=][A-Za-z0-9._@+=-]*");

    @Parameters(paramLabel = "NAME")
    private String name = "";

    @Option(names = "--dir", paramLabel = "DIR", required = true)
    private Path directory = Path.of("");

    @Option(names = "--server")
    private boolean server;

    @Option(names = "--san", paramLabel = "NAME")
    private List<String> alternativeNames = new ArrayList<>();

    @Option(names = "--client")
    private boolean client;

    @Option(names = "--cn", paramLabel = "NAME")
    private @Nullable String commonName;

    @Option(names = "--org", paramLabel = "NAME")
    private List<String> organizations = new ArrayList<>();

    @Option(names = "--days", paramLabel = "N")
    private long days = CertificateRequest.DEFAULT_VALIDITY.toDays();

    @Option(names = "--force")
    private boolean force;

    @Override
    public int run(Program plat) {
        CertificateRequest request = request();
        CertificateAuthority authority =
                PkiCommand.PairFiles.authority(directory, plat.environment().clock());
        PkiCommand.PairFiles files = new PkiCommand.PairFiles(directory, name);
        files.write(authority.issue(request), force, plat.report());
        return ExitStatus.YES;
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (!FILE_NAME.matcher(name).matches()) {
            problems.add("NAME: expected a file name of letters, digits and ._@+=-, found \"" + name + "\"");
        } else if (name.equals("ca")) {
            problems.add("NAME: \"ca\" is the authority itself");
        }
        if (!server && !client) {
            problems.add("--server, --client: at least one of them is required");
        }
        if (server && alternativeNames.isEmpty()) {
            problems.add("--san: required with --server, as clients verify only these names");
        }
        if (!server && !alternativeNames.isEmpty()) {
            problems.add("--san: requires --server");
        }
        if (!client && !organizations.isEmpty()) {
            problems.add("--org: requires --client");
        }
        return problems;
    }

    private CertificateRequest request() {
        List<String> problems = problems();
        List<AlternativeName> names = new ArrayList<>();
        for (String text : alternativeNames) {
            try {
                names.add(AlternativeName.parse(text));
            } catch (IllegalArgumentException e) {
                problems.add("--san: " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw CommandException.usage(String.join("\n", problems));
        }
        Set<CertificateUsage> usages = EnumSet.noneOf(CertificateUsage.class);
        if (server) {
            usages.add(CertificateUsage.SERVER);
        }
        if (client) {
            usages.add(CertificateUsage.CLIENT);
        }
        try {
            return new CertificateRequest(
                    commonName == null ? name : commonName,
                    organizations,
                    names,
                    usages,
                    PkiCommand.PairFiles.days(days),
                    KeyKind.EC_P256);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage("--cn, --org: " + e.getMessage());
        }
    }
}
