package io.plat.cli.pki;

import io.plat.cli.CommandException;
import io.plat.cli.ExitStatus;
import io.plat.tls.pki.AlternativeName;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateOrder;
import io.plat.tls.pki.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code plat pki issue}: a certificate for a server, a client or both. */
@Command(
        name = "issue",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Issues a certificate: NAME.crt and NAME.key beside the authority's.",
        footer = {
            "",
            "Examples:",
            "  plat pki issue decider --dir pki --server --san localhost --san 127.0.0.1",
            "  plat pki issue alice --dir pki --client --cn alice --org developers",
        })
final class IssueCommand implements Callable<Integer> {
    private static final Pattern FILE_NAME = Pattern.compile("[A-Za-z0-9_@+=][A-Za-z0-9._@+=-]*");

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "names the files")
    private String name = "";

    @Option(names = "--dir", paramLabel = "FOLDER", required = true, description = "where ca.crt and ca.key are")
    private Path folder = Path.of("");

    @Option(names = "--server", description = "for a server")
    private boolean server;

    @Option(names = "--san", paramLabel = "NAME", description = "a name or address of the server, repeatable")
    private List<String> alternativeNames = new ArrayList<>();

    @Option(names = "--client", description = "for a client")
    private boolean client;

    @Option(names = "--cn", paramLabel = "NAME", description = "the common name, a client's user name (NAME)")
    private @Nullable String commonName;

    @Option(names = "--org", paramLabel = "NAME", description = "an organisation, a client's group, repeatable")
    private List<String> organisations = new ArrayList<>();

    @Option(names = "--days", paramLabel = "N", description = "how long it is valid (default ${DEFAULT-VALUE})")
    private long days = CertificateOrder.DEFAULT_VALIDITY.toDays();

    @Option(names = "--force", description = "replace files that are there")
    private boolean force;

    @Override
    public Integer call() {
        CertificateOrder order = order();
        CertificateAuthority authority = authority();
        PairFiles files = new PairFiles(folder, name);
        files.write(authority.issue(order), force);
        Written.print(spec, files);
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
            problems.add("--server, --client: one of them or both are required");
        }
        if (server && alternativeNames.isEmpty()) {
            problems.add("--san: required with --server, as clients look at nothing else");
        }
        if (!server && !alternativeNames.isEmpty()) {
            problems.add("--san: goes with --server");
        }
        if (!client && !organisations.isEmpty()) {
            problems.add("--org: goes with --client");
        }
        return problems;
    }

    private CertificateOrder order() {
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
            return new CertificateOrder(
                    commonName == null ? name : commonName,
                    organisations,
                    names,
                    usages,
                    PairFiles.days(days),
                    KeyKind.EC_P256);
        } catch (IllegalArgumentException e) {
            throw CommandException.usage(String.valueOf(e.getMessage()));
        }
    }

    private CertificateAuthority authority() {
        PairFiles files = new PairFiles(folder, "ca");
        try {
            return CertificateAuthority.of(files.read(), InstantSource.system());
        } catch (IllegalArgumentException e) {
            throw CommandException.couldNotTell(files.certificate() + ": " + e.getMessage());
        }
    }
}
