package io.plat.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;

import io.plat.tls.pki.CertificateAuthority;
import io.plat.tls.pki.CertificateRequest;
import io.plat.tls.pki.CertificateRequest.AlternativeName;
import io.plat.tls.pki.CertificateRequest.KeyKind;
import io.plat.tls.x509.CertificateVerifier.Verification.Reason;
import io.plat.tls.x509.CertificateVerifier.Verification.Refused;
import io.plat.tls.x509.CertificateVerifier.Verification.Verified;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.GeneralName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

final class CertificateVerifierTest {
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");
    private static final InstantSource CLOCK = InstantSource.fixed(NOW);
    private static final Duration YEAR = Duration.ofDays(365);
    private static final CertificateAuthority CA = CertificateAuthority.create("ca", YEAR.multipliedBy(3), CLOCK);
    private static final CertificateAuthority MIDDLE = CA.subordinate("middle", YEAR.multipliedBy(2));
    private static final TlsIdentity JANE = CA.issue(CertificateRequest.client("jane"));
    private static final TlsIdentity BELOW = MIDDLE.issue(CertificateRequest.client("below"));
    private static final TlsIdentity SERVER = CA.issue(CertificateRequest.server("server", "localhost"));

    /** A chain, the bundle, and the result of the verification. */
    private record Case(
            String name,
            List<X509Certificate> chain,
            List<X509Certificate> bundle,
            CertificateVerifier.Verification expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case good(String name, List<X509Certificate> chain, X509Certificate... bundle) {
        return new Case(name, chain, List.of(bundle), new Verified(chain.getFirst()));
    }

    private static Case bad(
            String name, List<X509Certificate> chain, List<X509Certificate> bundle, Reason reason, String message) {
        return new Case(name, chain, bundle, new Refused(reason, message));
    }

    @SuppressWarnings("unused") // Named by a test below.
    private static final List<Case> CASES = List.of(
            good("issued by the authority", JANE.chain(), CA.certificate()),
            good("one of several authorities", JANE.chain(), foreign().certificate(), CA.certificate()),
            good("with the root in the chain", with(JANE.chain(), CA.certificate()), CA.certificate()),
            good("through an intermediate", BELOW.chain(), CA.certificate()),
            good(
                    "intermediates in another order, with an unrelated one",
                    List.of(BELOW.leaf(), foreign().certificate(), MIDDLE.certificate()),
                    CA.certificate()),
            good("the intermediate is trusted itself", List.of(BELOW.leaf()), MIDDLE.certificate()),
            good("the certificate is trusted itself", JANE.chain(), JANE.leaf()),
            bad("nothing", List.of(), trusted(), Reason.ABSENT, "no certificate was presented"),
            bad(
                    "an empty bundle",
                    JANE.chain(),
                    List.of(),
                    Reason.UNTRUSTED,
                    "the certificate is signed by 'CN=ca', which is not a trusted authority"),
            bad(
                    "an authority of the same name with another key",
                    JANE.chain(),
                    List.of(CertificateAuthority.create("ca", YEAR, CLOCK).certificate()),
                    Reason.UNTRUSTED,
                    "the certificate is signed by 'CN=ca', which is not a trusted authority"),
            bad(
                    "an intermediate is missing",
                    List.of(BELOW.leaf()),
                    trusted(),
                    Reason.UNTRUSTED,
                    "the certificate is signed by 'CN=middle', which is not a trusted authority"),
            bad(
                    "presents its own root",
                    with(
                            foreign().issue(CertificateRequest.client("jane")).chain(),
                            foreign().certificate()),
                    trusted(),
                    Reason.UNTRUSTED,
                    "the certificate is signed by 'CN=foreign', which is not a trusted authority"),
            bad(
                    "issued for servers",
                    SERVER.chain(),
                    trusted(),
                    Reason.WRONG_USAGE,
                    "the certificate was not issued for client authentication"),
            bad(
                    "trusted itself but issued for servers",
                    SERVER.chain(),
                    List.of(SERVER.leaf()),
                    Reason.WRONG_USAGE,
                    "the certificate was not issued for client authentication"),
            bad(
                    "too long a chain",
                    Collections.nCopies(11, JANE.leaf()),
                    trusted(),
                    Reason.UNTRUSTED,
                    "the chain has 11 certificates, expected at most 10"));

    @ParameterizedTest
    @FieldSource("CASES")
    void verifiesClients(Case c) {
        assertThat(verifier(new TrustBundle(c.bundle), CLOCK).verify(c.chain)).isEqualTo(c.expected);
    }

    @ParameterizedTest
    @EnumSource
    void verifiesChainsOfEveryKindOfKey(KeyKind kind) {
        CertificateAuthority ca = CertificateAuthority.create("of " + kind, YEAR, kind, CLOCK);
        List<X509Certificate> chain =
                ca.issue(CertificateRequest.client("jane").withKey(kind)).chain();

        assertThat(verifier(new TrustBundle(List.of(ca.certificate())), CLOCK).verify(chain))
                .isEqualTo(new Verified(chain.getFirst()));
    }

    @Test
    void aCertificateOfNoAuthorityMayNotIssue() {
        // Jane signs a certificate for herself under another name, which the library would refuse.
        List<X509Certificate> forged = List.of(TestCertificates.signedBy(JANE, "root", NOW), JANE.leaf());

        assertThat(verifier(new TrustBundle(trusted()), CLOCK).verify(forged))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.reason()).isEqualTo(Reason.UNTRUSTED));
        // Not even if the signer is trusted itself.
        assertThat(verifier(new TrustBundle(List.of(JANE.leaf())), CLOCK).verify(forged))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.reason()).isEqualTo(Reason.UNTRUSTED));
    }

    /** They would take thousands of times as long if all their orders were tried. */
    @Test
    void authoritiesThatIssueEachOtherAreRefusedSoon() {
        CertificateAuthority stranger = foreign();
        List<X509Certificate> chain = new ArrayList<>(
                stranger.issue(CertificateRequest.client("jane")).chain().subList(0, 1));
        long alone = nanosOfRefusing(chain);
        chain.addAll(TestCertificates.issuingEachOther(stranger.identity(), 9, NOW));
        assertThat(nanosOfRefusing(chain)).isLessThan(50 * alone);
    }

    /** Returns the shortest of several times. */
    private static long nanosOfRefusing(List<X509Certificate> chain) {
        CertificateVerifier verifier = verifier(new TrustBundle(trusted()), CLOCK);
        long shortest = Long.MAX_VALUE;
        for (int i = 0; i < 20; i++) {
            long begin = System.nanoTime();
            assertThat(verifier.verify(chain)).isInstanceOf(Refused.class);
            shortest = Math.min(shortest, System.nanoTime() - begin);
        }
        return shortest;
    }

    /** A constraint of directory names bounds the beginning of a name, not the groups in it. */
    @Test
    void constraintsOfDirectoryNamesAreRefusedAndOthersAreMet() {
        X509Certificate names = TestCertificates.constrained(
                CA.identity(), MIDDLE.identity(), new GeneralName(new X500Name("CN=below")), NOW);
        assertThat(verifier(new TrustBundle(List.of(CA.certificate())), CLOCK).verify(List.of(BELOW.leaf(), names)))
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> assertThat(refused.message()).contains("critical constraint of directory names"));
        X509Certificate emails = TestCertificates.constrained(
                CA.identity(), MIDDLE.identity(), new GeneralName(GeneralName.rfc822Name, "example.com"), NOW);
        assertThat(verifier(new TrustBundle(List.of(CA.certificate())), CLOCK).verify(List.of(BELOW.leaf(), emails)))
                .isInstanceOf(Verified.class);
    }

    @Test
    void sha1SignaturesAreRefused() {
        List<X509Certificate> weak = List.of(TestCertificates.signedWith("SHA1withECDSA", CA.identity(), "jane", NOW));

        assertThat(verifier(new TrustBundle(trusted()), CLOCK).verify(weak))
                .isEqualTo(new Refused(Reason.UNTRUSTED, "the signature of 'CN=jane' uses SHA1withECDSA"));
    }

    @Test
    void aCertificateWithoutUsagesIsForAnyUse() {
        List<X509Certificate> plain =
                List.of(TestCertificates.signedWith("SHA256withECDSA", CA.identity(), "jane", NOW));

        assertThat(verifier(new TrustBundle(trusted()), CLOCK).verify(plain)).isEqualTo(new Verified(plain.getFirst()));
    }

    @Test
    void validityIncludesBothEnds() {
        X509Certificate leaf = JANE.leaf();
        Instant from = leaf.getNotBefore().toInstant();
        Instant to = leaf.getNotAfter().toInstant();

        assertThat(at(from)).isEqualTo(new Verified(leaf));
        assertThat(at(to)).isEqualTo(new Verified(leaf));
        assertThat(at(from.minusMillis(1)))
                .isEqualTo(new Refused(Reason.NOT_YET_VALID, "the certificate is not valid before " + from));
        assertThat(at(to.plusMillis(1))).isEqualTo(new Refused(Reason.EXPIRED, "the certificate expired at " + to));
    }

    private static CertificateVerifier.Verification at(Instant now) {
        return verifier(new TrustBundle(trusted()), InstantSource.fixed(now)).verify(JANE.chain());
    }

    @Test
    void anExpiredAuthorityIsNotTrusted() {
        MutableClock clock = new MutableClock(NOW);
        CertificateAuthority shortLived = CertificateAuthority.create("short", Duration.ofDays(10), clock);
        // Expires after its authority, as certificates issued by other programs may.
        X509Certificate leaf = TestCertificates.signedWith("SHA256withECDSA", shortLived.identity(), "jane", NOW);
        CertificateVerifier verifier = verifier(new TrustBundle(List.of(shortLived.certificate())), clock);
        assertThat(verifier.verify(List.of(leaf))).isEqualTo(new Verified(leaf));

        clock.advance(Duration.ofDays(11));

        assertThat(verifier.verify(List.of(leaf)))
                .isEqualTo(new Refused(
                        Reason.EXPIRED,
                        "the certificate of the authority 'CN=short' expired at "
                                + shortLived.certificate().getNotAfter().toInstant()));
    }

    @Test
    void aRenewedAuthorityIsFoundNextToTheExpiredOne() {
        MutableClock clock = new MutableClock(NOW);
        CertificateAuthority old = CertificateAuthority.create("renewed", Duration.ofDays(10), clock);
        X509Certificate leaf = TestCertificates.signedWith("SHA256withECDSA", old.identity(), "jane", NOW);
        clock.advance(Duration.ofDays(11));
        X509Certificate fresh = TestCertificates.renewed(old.identity(), clock.instant());

        CertificateVerifier verifier = verifier(new TrustBundle(List.of(old.certificate(), fresh)), clock);

        assertThat(verifier.verify(List.of(leaf))).isEqualTo(new Verified(leaf));
    }

    @Test
    void cachedResultsExpire() {
        MutableClock clock = new MutableClock(NOW);
        CertificateVerifier verifier = verifier(new TrustBundle(trusted()), clock);
        List<X509Certificate> chain = CA.issue(CertificateRequest.client("jane").validFor(Duration.ofMinutes(1)))
                .chain();
        assertThat(verifier.verify(chain)).isInstanceOf(Verified.class);
        assertThat(verifier.verify(chain)).isInstanceOf(Verified.class);

        clock.advance(Duration.ofMinutes(2));

        assertThat(verifier.verify(chain))
                .isInstanceOfSatisfying(
                        Refused.class, r -> assertThat(r.reason()).isEqualTo(Reason.EXPIRED));
    }

    @Test
    void aReplacedBundleIsEffectiveAtOnce() {
        AtomicReference<TrustBundle> bundle = new AtomicReference<>(new TrustBundle(trusted()));
        CertificateVerifier verifier = new CertificateVerifier(bundle::get, CertificateUsage.CLIENT, CLOCK);
        List<X509Certificate> stranger =
                foreign().issue(CertificateRequest.client("jane")).chain();
        assertThat(verifier.verify(JANE.chain())).isInstanceOf(Verified.class);
        assertThat(verifier.verify(stranger)).isInstanceOf(Refused.class);

        bundle.set(new TrustBundle(List.of(foreign().certificate())));

        assertThat(verifier.verify(JANE.chain())).isInstanceOf(Refused.class);
        assertThat(verifier.verify(stranger)).isInstanceOf(Verified.class);
    }

    @Test
    void aFullCacheDoesNotPreventVerification() {
        CertificateVerifier verifier = verifier(new TrustBundle(trusted()), CLOCK);
        // The same leaf with different additional certificates is a different chain.
        for (int i = 0; i < 1100; i++) {
            List<X509Certificate> chain = new ArrayList<>(JANE.chain());
            for (int bit = 0; bit < 9; bit++) {
                chain.add((i >> bit & 1) == 0 ? CA.certificate() : MIDDLE.certificate());
            }
            assertThat(verifier.verify(chain)).isInstanceOf(Verified.class);
        }
    }

    @Test
    void serverUsageIsVerified() {
        CertificateVerifier verifier =
                new CertificateVerifier(() -> new TrustBundle(trusted()), CertificateUsage.SERVER, CLOCK);
        TlsIdentity both = CA.issue(new CertificateRequest(
                "both",
                List.of(),
                List.of(AlternativeName.parse("localhost")),
                Set.of(CertificateUsage.values()),
                YEAR,
                KeyKind.EC_P256));

        assertThat(verifier.verify(SERVER.chain())).isInstanceOf(Verified.class);
        assertThat(verifier.verify(both.chain())).isInstanceOf(Verified.class);
        assertThat(verifier.verify(JANE.chain()))
                .isEqualTo(new Refused(Reason.WRONG_USAGE, "the certificate was not issued for server authentication"));
    }

    private static CertificateVerifier verifier(TrustBundle bundle, InstantSource clock) {
        return new CertificateVerifier(() -> bundle, CertificateUsage.CLIENT, clock);
    }

    private static List<X509Certificate> trusted() {
        return List.of(CA.certificate());
    }

    private static CertificateAuthority foreign() {
        return Foreign.CA;
    }

    private static final class Foreign {
        static final CertificateAuthority CA = CertificateAuthority.create("foreign", YEAR, CLOCK);
    }

    private static List<X509Certificate> with(List<X509Certificate> chain, X509Certificate added) {
        List<X509Certificate> longer = new ArrayList<>(chain);
        longer.add(added);
        return List.copyOf(longer);
    }
}
