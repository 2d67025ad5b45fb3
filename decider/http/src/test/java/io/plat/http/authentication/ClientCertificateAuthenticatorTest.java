package io.plat.http.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ClientCertificateAuthenticatorTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);
    private final InstantSource time = clock::get;
    private final CertificateAuthority authority = CertificateAuthority.create("ca", Duration.ofDays(365), time);
    private final AtomicReference<TrustBundle> trust =
            new AtomicReference<>(new TrustBundle(List.of(authority.certificate())));
    private final ClientCertificateAuthenticator authenticator =
            new ClientCertificateAuthenticator(new CertificateVerifier(trust::get, CertificateUsage.CLIENT, time));

    private Authentication authenticate(CertificateAuthority by, CertificateRequest order) {
        return authenticator.authenticate(
                TestingCredentials.certificate(by.issue(order).chain()));
    }

    @Test
    void theCommonNameIsTheUserAndTheOrganizationsAreTheGroups() {
        assertThat(authenticate(authority, CertificateRequest.client("alice", "dev", "system:masters")))
                .isInstanceOfSatisfying(Authenticated.class, proven -> {
                    assertThat(proven.user().name()).isEqualTo("alice");
                    assertThat(proven.user().groups()).containsExactlyInAnyOrder("dev", "system:masters");
                    assertThat(proven.user().extra())
                            .hasEntrySatisfying(
                                    "authentication.kubernetes.io/credential-id",
                                    ids -> assertThat(ids)
                                            .singleElement()
                                            .asString()
                                            .matches("X509SHA256=[0-9a-f]{64}"));
                });
    }

    @Test
    void noCertificateIsNoCredential() {
        assertThat(authenticator.authenticate(TestingCredentials.NONE)).isEqualTo(Absent.ABSENT);
    }

    @Test
    void aForeignAuthorityIsRefused() {
        CertificateAuthority other = CertificateAuthority.create("ca", Duration.ofDays(365), time);
        assertThat(authenticate(other, CertificateRequest.client("alice"))).isInstanceOf(Refused.class);
    }

    @Test
    void aServersCertificateIsRefused() {
        assertThat(authenticate(authority, CertificateRequest.server("localhost", "localhost")))
                .isInstanceOf(Refused.class);
    }

    @Test
    void authenticationDoesNotOutliveTheCertificate() {
        TestingCredentials credentials = TestingCredentials.certificate(authority
                .issue(CertificateRequest.client("alice").validFor(Duration.ofHours(1)))
                .chain());
        assertThat(authenticator.authenticate(credentials)).isInstanceOf(Authenticated.class);
        clock.set(NOW.plus(Duration.ofHours(2)));
        assertThat(authenticator.authenticate(credentials))
                .isInstanceOfSatisfying(
                        Refused.class, refused -> assertThat(refused.reason()).startsWith("client certificate: "));
    }

    @Test
    void authenticationDoesNotOutliveTheAuthority() {
        TestingCredentials credentials = TestingCredentials.certificate(
                authority.issue(CertificateRequest.client("alice")).chain());
        assertThat(authenticator.authenticate(credentials)).isInstanceOf(Authenticated.class);
        trust.set(new TrustBundle(List.of(
                CertificateAuthority.create("new", Duration.ofDays(1), time).certificate())));
        assertThat(authenticator.authenticate(credentials)).isInstanceOf(Refused.class);
    }
}
