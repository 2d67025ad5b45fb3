package io.plat.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.ServerName;
import io.plat.tls.x509.TlsIdentity;
import io.plat.tls.x509.TrustBundle;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** Host names of certificates: only alternative names count. */
final class ServerNameTest {
    private static final TestPki PKI = new TestPki();

    /** A certificate's common name and alternative names, the requested host, and the refusal, if any. */
    private record Case(
            String commonName,
            List<String> names,
            String host,
            @Nullable String refusal) {
        @Override
        public String toString() {
            return "CN=" + commonName + " " + names + " as " + host;
        }

        static Case good(String commonName, String names, String host) {
            return new Case(commonName, list(names), host, null);
        }

        static Case bad(String commonName, String names, String host, String refusal) {
            return new Case(commonName, list(names), host, refusal);
        }

        private static List<String> list(String names) {
            return names.isEmpty() ? List.of() : List.of(names.split(" "));
        }
    }

    @SuppressWarnings("unused") // Named by the tests below.
    private static final List<Case> CASES = List.of(
            Case.good("x", "localhost", "localhost"),
            Case.good("x", "a.example.com b.example.com", "b.example.com"),
            Case.good("x", "A.Example.COM", "a.eXample.com"),
            Case.good("x", "a.example.com", "a.example.com."),
            Case.bad(
                    "x",
                    "a.example.com",
                    "b.example.com",
                    "the certificate is for 'a.example.com', expected 'b.example.com'"),
            Case.bad(
                    "x",
                    "example.com",
                    "a.example.com",
                    "the certificate is for 'example.com', expected 'a.example.com'"),
            Case.good("x", "*.example.com", "a.example.com"),
            Case.bad(
                    "x",
                    "*.example.com",
                    "example.com",
                    "the certificate is for '*.example.com', expected 'example.com'"),
            Case.bad(
                    "x",
                    "*.example.com",
                    "a.b.example.com",
                    "the certificate is for '*.example.com', expected 'a.b.example.com'"),
            Case.bad("x", "*.com", "example.com", "the certificate is for '*.com', expected 'example.com'"),
            Case.good("x", "127.0.0.1", "127.0.0.1"),
            Case.good("x", "::1", "::1"),
            Case.good("x", "::1", "[::1]"),
            Case.good("x", "::1", "0:0:0:0:0:0:0:1"),
            Case.bad("x", "127.0.0.1", "127.0.0.2", "the certificate is for '127.0.0.1', expected '127.0.0.2'"),
            Case.bad("x", "localhost", "127.0.0.1", "the certificate is for 'localhost', expected '127.0.0.1'"),
            Case.bad("x", "127.0.0.1", "localhost", "the certificate is for '127.0.0.1', expected 'localhost'"),
            // The common name is ignored: without alternative names, with addresses only, and with other names.
            Case.bad(
                    "localhost",
                    "",
                    "localhost",
                    "the certificate has no subject alternative name, expected 'localhost'"),
            Case.bad("localhost", "127.0.0.1", "localhost", "the certificate is for '127.0.0.1', expected 'localhost'"),
            Case.bad("localhost", "other", "localhost", "the certificate is for 'other', expected 'localhost'"),
            Case.bad("127.0.0.1", "other", "127.0.0.1", "the certificate is for 'other', expected '127.0.0.1'"));

    @ParameterizedTest
    @FieldSource("CASES")
    void verifiesAlternativeNames(Case c) {
        TlsIdentity server = server(c);

        assertThat(ServerName.mismatch(server.leaf(), c.host)
                        .map(r -> r.message())
                        .orElse(null))
                .isEqualTo(c.refusal);
    }

    @ParameterizedTest
    @FieldSource("CASES")
    void theHandshakeVerifiesTheSameNames(Case c) throws Exception {
        // The certificate must have the name with which the client's socket was created.
        Handshake.Outcome outcome = handshake(server(c), c.host, null);

        assertThat(outcome.passed()).as("%s", outcome).isEqualTo(c.refusal == null);
        if (c.refusal != null) {
            assertThat(outcome.client().error()).contains(c.refusal);
        }
    }

    @Test
    void aConfiguredNameReplacesTheHost() throws Exception {
        TlsIdentity server = PKI.ca.issue(CertificateRequest.server("x", "decider.example"));

        assertThat(handshake(server, "localhost", "decider.example").passed()).isTrue();
        assertThat(handshake(server, "decider.example", "localhost").passed()).isFalse();
    }

    /** A server's certificate, and the reason why the client refuses it. */
    private record Untrusted(String name, TlsIdentity server, String refusal) {
        @Override
        public String toString() {
            return name;
        }
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Untrusted> UNTRUSTED = List.of(
            new Untrusted(
                    "of another authority",
                    PKI.otherCa.issue(CertificateRequest.server("x", "localhost")),
                    "the certificate is signed by 'CN=other CA', which is not a trusted authority"),
            new Untrusted("expired", PKI.expiredServer(), "the certificate expired at "),
            new Untrusted(
                    "a client's",
                    PKI.ca.issue(new CertificateRequest(
                            "x",
                            List.of(),
                            List.of(AlternativeName.parse("localhost")),
                            Set.of(CertificateUsage.CLIENT),
                            CertificateRequest.DEFAULT_VALIDITY,
                            KeyKind.EC_P256)),
                    "the certificate was not issued for server authentication"));

    @ParameterizedTest
    @FieldSource("UNTRUSTED")
    void refusesUntrustedServers(Untrusted untrusted) throws Exception {
        Handshake.Outcome outcome = handshakeWithAnyServer(untrusted.server);

        assertThat(outcome.passed()).isFalse();
        assertThat(outcome.client().error()).contains(untrusted.refusal);
    }

    private static TlsIdentity server(Case c) {
        return PKI.ca.issue(CertificateRequest.server(c.commonName, c.names.toArray(String[]::new)));
    }

    private static ClientTls client(@Nullable String serverName) throws Exception {
        return ClientTls.read(
                new ClientTls.Config(TestPki.certificates(PKI.ca.certificate()), null, null, serverName),
                TestPki.CLOCK);
    }

    private static Handshake.Outcome handshake(TlsIdentity identity, String host, @Nullable String serverName)
            throws Exception {
        ServerTls.Config config = ServerTls.Config.requesting(TestPki.chain(identity), TestPki.key(identity));
        try (ServerTls server = new ServerTls(config, ReloadListener.none(), TestPki.CLOCK);
                ClientTls client = client(serverName)) {
            return Handshake.run(server, client.context(), host, socket -> {});
        }
    }

    /** A server that does not check its own certificate. */
    private static Handshake.Outcome handshakeWithAnyServer(TlsIdentity identity) throws Exception {
        try (ServerTls judge = new ServerTls(
                        ServerTls.Config.requesting(TestPki.chain(PKI.server), TestPki.key(PKI.server)),
                        ReloadListener.none(),
                        TestPki.CLOCK);
                ClientTls client = client(null)) {
            PeerTrust all = PeerTrust.ofClients(
                    ClientCertificates.REQUESTED, new TrustBundle(List.of()), judge.clientVerifier());
            return Handshake.run(
                    Contexts.of(identity, all), judge.clientVerifier(), client.context(), "localhost", socket -> {});
        }
    }
}
