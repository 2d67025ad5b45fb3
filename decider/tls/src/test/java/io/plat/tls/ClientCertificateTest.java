package io.plat.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pem.PemException;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier.Verification;
import io.plat.tls.x509.CertificateVerifier.Verification.Reason;
import io.plat.tls.x509.TlsIdentity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** All kinds of client certificates, against a server that requires one and one that only requests it. */
final class ClientCertificateTest {
    private static final TestPki PKI = new TestPki();

    /** Certificates of clients and the reasons for rejecting them; no reason means accepted. */
    private record Case(
            String name,
            @Nullable TlsIdentity shown,
            @Nullable Reason refused) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Case> SHOWN = List.of(
            new Case("valid", PKI.client, null),
            new Case("none", null, Reason.ABSENT),
            new Case("another authority", PKI.otherCa.issue(CertificateRequest.client("jane")), Reason.UNTRUSTED),
            new Case("expired", PKI.expiredClient(), Reason.EXPIRED),
            new Case("not valid yet", PKI.futureClient(), Reason.NOT_YET_VALID),
            new Case("the server's certificate", PKI.server, Reason.WRONG_USAGE),
            new Case(
                    "both usages",
                    PKI.ca.issue(CertificateRequest.client("peer")
                            .usedFor(CertificateUsage.CLIENT, CertificateUsage.SERVER)),
                    null),
            new Case("issued by an intermediate", PKI.intermediate.issue(CertificateRequest.client("jane")), null),
            new Case(
                    "a missing intermediate",
                    leafOnly(PKI.intermediate.issue(CertificateRequest.client("jane"))),
                    Reason.UNTRUSTED),
            new Case("the authority's certificate", PKI.ca.identity(), Reason.WRONG_USAGE));

    private record Scenario(Case shown, String protocol) {
        @Override
        public String toString() {
            return shown + " over " + protocol;
        }
    }

    @SuppressWarnings("unused") // Named by the tests below.
    private static final List<Scenario> SCENARIOS = SHOWN.stream()
            .flatMap(c -> Stream.of("TLSv1.2", "TLSv1.3").map(p -> new Scenario(c, p)))
            .toList();

    @ParameterizedTest
    @FieldSource("SCENARIOS")
    void requiredCertificatesAreVerifiedInTheHandshake(Scenario scenario) throws PemException {
        ServerTls.Config config = ServerTls.Config.requiring(
                TestPki.chain(PKI.server), TestPki.key(PKI.server), TestPki.certificates(PKI.ca.certificate()));

        Handshake.Outcome outcome = handshake(config, scenario);

        assertThat(outcome.passed()).as("%s", outcome).isEqualTo(scenario.shown.refused == null);
    }

    @ParameterizedTest
    @FieldSource("SCENARIOS")
    void requestedCertificatesAreVerifiedAfterTheHandshake(Scenario scenario) throws PemException {
        ServerTls.Config config = new ServerTls.Config(
                TestPki.chain(PKI.server),
                TestPki.key(PKI.server),
                TestPki.certificates(PKI.ca.certificate()),
                ClientCertificates.REQUESTED);

        Handshake.Outcome outcome = handshake(config, scenario);

        assertThat(outcome.passed()).as("%s", outcome).isTrue();
        assertThat(reason(outcome.server().judgement())).isEqualTo(Optional.ofNullable(scenario.shown.refused));
    }

    private static Handshake.Outcome handshake(ServerTls.Config config, Scenario scenario) throws PemException {
        TlsIdentity shown = scenario.shown.shown;
        ClientTls.Config client = new ClientTls.Config(
                TestPki.certificates(PKI.ca.certificate()),
                shown == null ? null : TestPki.chain(shown),
                shown == null ? null : TestPki.key(shown),
                null);
        try (ServerTls server = new ServerTls(config, ReloadListener.none(), TestPki.CLOCK);
                ClientTls tls = ClientTls.read(client, TestPki.CLOCK)) {
            Handshake.Outcome outcome = Handshake.run(
                    server, tls.context(), "localhost", s -> s.setEnabledProtocols(new String[] {scenario.protocol}));
            assertThat(outcome.client().protocol()).isIn("", scenario.protocol);
            return outcome;
        }
    }

    private static Optional<Reason> reason(Verification verification) {
        return switch (verification) {
            case Verification.Verified _ -> Optional.empty();
            case Verification.Refused refused -> Optional.of(refused.reason());
        };
    }

    private static TlsIdentity leafOnly(TlsIdentity identity) {
        return new TlsIdentity(List.of(identity.leaf()), identity.key());
    }
}
