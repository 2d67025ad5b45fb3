package io.plat.cli.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.cli.Plat;
import io.plat.cli.process.Environment;
import io.plat.tls.pem.PemSource;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.CertificateVerifier.Verification;
import io.plat.tls.x509.TlsIdentity;
import io.plat.tls.x509.TrustBundle;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** {@code plat pki}: exit status, messages, and files. */
final class PkiCommandTest {
    private final Path directory;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private InstantSource clock = InstantSource.system();

    PkiCommandTest(@TempDir Path directory) {
        this.directory = directory;
    }

    /** Runs {@code plat pki ARGUMENTS}, in which {@code D} stands for the directory; returns its exit status. */
    private int pki(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        Environment environment = new Environment(Map.of(), directory, InputStream.nullInputStream(), false, clock);
        String[] all = Stream.concat(
                        Stream.of("pki"),
                        Stream.of(arguments)
                                .map(a -> a.equals("D") ? directory.toString() : a.replace("D/", directory + "/")))
                .toArray(String[]::new);
        return Plat.commandLine(environment, new PrintWriter(out), new PrintWriter(err))
                .execute(all);
    }

    private int run(String words) {
        return pki(words.split(" "));
    }

    private TlsIdentity read(String name) throws Exception {
        return TlsIdentity.read(
                PemSource.file(directory.resolve(name + ".crt")), PemSource.file(directory.resolve(name + ".key")));
    }

    @Test
    void createsAnAuthorityWithAnOwnerOnlyKey() throws Exception {
        assertThat(run("init --dir D/new/pki --cn authority --days 10")).isZero();

        Path key = directory.resolve("new/pki/ca.key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
                .isEqualTo("rw-------");
        TlsIdentity ca = read("new/pki/ca");
        assertThat(CertificateNames.of(ca.leaf()).commonName()).isEqualTo("authority");
        assertThat(ca.leaf().getBasicConstraints()).isPositive();
        assertThat(ca.leaf().getNotAfter().toInstant())
                .isBetween(Instant.now().plus(Duration.ofDays(9)), Instant.now().plus(Duration.ofDays(10)));
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void issuesServerCertificates() throws Exception {
        run("init --dir D");

        assertThat(run("issue decider --dir D --server --san localhost --san 127.0.0.1 --san ::1"))
                .as(err.toString())
                .isZero();

        CertificateNames names = CertificateNames.of(read("decider").leaf());
        assertThat(names.commonName()).isEqualTo("decider");
        assertThat(names.dnsNames()).containsExactly("localhost");
        assertThat(names.ipAddresses())
                .containsExactly(InetAddress.ofLiteral("127.0.0.1"), InetAddress.ofLiteral("::1"));
        assertThat(accepted("decider")).containsExactly(CertificateUsage.SERVER);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("decider.key"))))
                .isEqualTo("rw-------");
    }

    @Test
    void issuesClientCertificates() throws Exception {
        run("init --dir D");

        assertThat(run("issue jane --dir D --client --cn jane@example --org developers --org system:masters"))
                .isZero();

        CertificateNames names = CertificateNames.of(read("jane").leaf());
        assertThat(names.commonName()).isEqualTo("jane@example");
        assertThat(names.organizations()).containsExactly("developers", "system:masters");
        assertThat(accepted("jane")).containsExactly(CertificateUsage.CLIENT);
    }

    @Test
    void renewsWithTheSameNamesAndANewKey() throws Exception {
        run("init --dir D");
        run("issue web --dir D --server --san localhost --san ::1 --client --org g --days 40");
        TlsIdentity before = read("web");

        assertThat(run("renew web --dir D")).as(err.toString()).isZero();

        TlsIdentity after = read("web");
        assertThat(CertificateNames.of(after.leaf())).isEqualTo(CertificateNames.of(before.leaf()));
        assertThat(after.leaf().getPublicKey()).isNotEqualTo(before.leaf().getPublicKey());
        assertThat(accepted("web")).containsExactlyInAnyOrder(CertificateUsage.SERVER, CertificateUsage.CLIENT);
        run("show D/web.crt");
        assertThat(out.toString()).contains("expires        in 39 days\n");
        clock = () -> Instant.now().minus(Duration.ofDays(10));
        run("show D/web.crt");
        assertThat(out.toString()).contains(" days, not valid yet\n");
        assertThat(run("renew ca --dir D")).isEqualTo(2);
        assertThat(run("renew absent --dir D")).isEqualTo(3);
    }

    @Test
    void issuesForBothUsages() throws Exception {
        run("init --dir D");

        assertThat(run("issue peer --dir D --server --san localhost --client --org deciders"))
                .isZero();

        assertThat(accepted("peer")).containsExactly(CertificateUsage.SERVER, CertificateUsage.CLIENT);
    }

    /** The usages for which a certificate passes verification against the authority. */
    private List<CertificateUsage> accepted(String name) throws Exception {
        TrustBundle trust = TrustBundle.read(PemSource.file(directory.resolve("ca.crt")));
        TlsIdentity identity = read(name);
        return Stream.of(CertificateUsage.values())
                .filter(usage ->
                        new CertificateVerifier(() -> trust, usage, InstantSource.system()).verify(identity.chain())
                                instanceof Verification.Verified)
                .toList();
    }

    @Test
    void overwritesOnlyWithForce() throws Exception {
        run("init --dir D");
        run("issue jane --dir D --client");
        Map<String, String> before = contents();

        assertThat(run("init --dir D")).isEqualTo(3);
        assertThat(err.toString()).contains("ca.key").contains("--force");
        assertThat(run("issue jane --dir D --client")).isEqualTo(3);
        assertThat(err.toString()).contains("jane.key").contains("--force");
        assertThat(contents()).isEqualTo(before);

        assertThat(run("issue jane --dir D --client --force")).isZero();
        assertThat(contents().get("jane.key")).isNotEqualTo(before.get("jane.key"));
        assertThat(contents().get("ca.key")).isEqualTo(before.get("ca.key"));
        assertThat(contents().keySet()).isEqualTo(before.keySet());
    }

    private Map<String, String> contents() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return Map.copyOf(files.collect(
                    Collectors.toMap(f -> f.getFileName().toString(), f -> Assertions.contentOf(f.toFile()))));
        }
    }

    /** An invalid command, its status, and a part of the message. */
    private record InvalidCommand(String run, int status, String message) {
        @Override
        public String toString() {
            return run;
        }
    }

    @SuppressWarnings("unused") // Used by a test below.
    private static final List<InvalidCommand> INVALID_COMMANDS = List.of(
            new InvalidCommand("init", 2, "--dir"),
            new InvalidCommand("init --dir D --days 0", 2, "--days"),
            new InvalidCommand("init --dir D --days many", 2, "--days"),
            new InvalidCommand("issue --dir D --client", 2, "NAME"),
            new InvalidCommand("issue jane --dir D", 2, "--server, --client"),
            new InvalidCommand("issue s --dir D --server", 2, "--san"),
            new InvalidCommand("issue s --dir D --server --san 1.2.3", 2, "'1.2.3' is not an IP address"),
            new InvalidCommand("issue s --dir D --server --san a/b", 2, "'a/b' is not a host name"),
            new InvalidCommand("issue a/b --dir D --client", 2, "a/b"),
            new InvalidCommand("issue ../b --dir D --client", 2, "../b"),
            new InvalidCommand("issue .. --dir D --client", 2, ".."),
            new InvalidCommand("issue jane --dir D --client --days -1", 2, "--days"),
            new InvalidCommand(
                    "issue jane --dir D/absent --client", 3, "absent/ca.crt: no such file; plat pki init --dir "),
            new InvalidCommand("show", 2, "FILE"),
            new InvalidCommand("show D/absent.crt", 3, "absent.crt: no such file"),
            new InvalidCommand("show D/ca.key", 3, "expected at least one 'CERTIFICATE', found 'EC PRIVATE KEY'"),
            new InvalidCommand("frobnicate", 2, "frobnicate"));

    @ParameterizedTest
    @FieldSource("INVALID_COMMANDS")
    void refusesInOneLineAndWritesNothing(InvalidCommand rejected) throws IOException {
        run("init --dir D");
        Map<String, String> before = contents();

        assertThat(run(rejected.run)).as(err.toString()).isEqualTo(rejected.status);

        assertThat(err.toString())
                .contains(rejected.message)
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void reportsAllInvalidNamesTogether() throws IOException {
        run("init --dir D");

        assertThat(pki(
                        "issue",
                        "web",
                        "--dir",
                        "D",
                        "--server",
                        "--org",
                        "x",
                        "--san",
                        "a b",
                        "--san",
                        "fine.example",
                        "--san",
                        "*.*",
                        "--san",
                        "300.1.1.1"))
                .isEqualTo(2);

        assertThat(err.toString().lines())
                .containsExactly(
                        "plat: --org: requires --client",
                        "plat: --san: 'a b' is not a host name",
                        "plat: --san: '*.*' is not a host name",
                        "plat: --san: '300.1.1.1' is not an IP address");
        assertThat(directory.resolve("web.crt")).doesNotExist();
    }

    @Test
    void leafCertificateCannotIssue() throws IOException {
        run("init --dir D");
        run("issue jane --dir D --client");
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.copy(directory.resolve("jane.crt"), other.resolve("ca.crt"));
        Files.copy(directory.resolve("jane.key"), other.resolve("ca.key"));

        assertThat(run("issue joe --dir D/other --client")).isEqualTo(3);

        assertThat(err.toString()).contains("ca.crt: the certificate is not a CA certificate");
    }

    @Test
    void mismatchedAuthorityKeyIsRefused() throws IOException {
        run("init --dir D");
        run("issue jane --dir D --client");
        Files.copy(directory.resolve("jane.key"), directory.resolve("ca.key"), StandardCopyOption.REPLACE_EXISTING);

        assertThat(run("issue joe --dir D --client")).isEqualTo(3);

        assertThat(err.toString()).contains("the private key does not belong to the first certificate of");
        assertThat(directory.resolve("joe.crt")).doesNotExist();
    }

    @Test
    void showsCertificates() {
        run("init --dir D --cn authority");
        run("issue decider --dir D --server --san localhost --san 127.0.0.1");

        assertThat(run("show D/decider.crt D/ca.crt")).isZero();

        assertThat(out.toString())
                .contains("CN=decider", "CN=authority", "localhost", "127.0.0.1", "server authentication")
                .contains("SHA256=")
                .doesNotContain("PRIVATE");
    }

    @Test
    void showsCertificatesAsJson() {
        run("init --dir D --cn authority");
        run("issue jane --dir D --client --org developers");

        assertThat(run("show -o json D/jane.crt D/ca.crt")).isZero();

        assertThat(out.toString().strip()).startsWith("[").endsWith("]");
        assertThat(out.toString())
                .containsPattern("\"subject\" *: *\"CN=jane,O=developers\"")
                .containsPattern("\"issuer\" *: *\"CN=authority\"")
                .contains("\"client authentication\"");
    }
}
