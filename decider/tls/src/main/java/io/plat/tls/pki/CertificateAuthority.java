package io.plat.tls.pki;

import io.plat.tls.x509.TlsIdentity;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;

/**
 * Certificate authority: a CA certificate and its key, which issue certificates.
 *
 * <p>Certificates are valid from five minutes before they are issued, for peers whose clocks are behind, and no longer than their issuer.
 * Methods throw an {@link IllegalArgumentException} with a message of one line if a name or a validity is invalid. Thread-safe.
 */
public final class CertificateAuthority {
    private static final Duration BACKDATED = Duration.ofMinutes(5);

    private final TlsIdentity identity;
    private final InstantSource clock;

    private CertificateAuthority(TlsIdentity identity, InstantSource clock) {
        this.identity = identity;
        this.clock = clock;
    }

    /** Creates a root authority. */
    public static CertificateAuthority create(String commonName, Duration validity, InstantSource clock) {
        return create(commonName, validity, CertificateRequest.KeyKind.EC_P256, clock);
    }

    /** Creates a root authority with a key of a given kind. */
    public static CertificateAuthority create(
            String commonName, Duration validity, CertificateRequest.KeyKind key, InstantSource clock) {
        CertificateRequest.checkText("common name", commonName);
        KeyPair pair = key.generate();
        X500Name name = CertificateProfile.subject(commonName, List.of());
        Validity valid = Validity.from(clock.instant(), validity, Instant.MAX);
        X509Certificate certificate = CertificateProfile.root(name, pair, valid);
        return new CertificateAuthority(new TlsIdentity(List.of(certificate), pair.getPrivate()), clock);
    }

    /**
     * Returns the authority of an existing certificate and key.
     *
     * @throws IllegalArgumentException if the certificate is not a CA certificate
     */
    public static CertificateAuthority of(TlsIdentity identity, InstantSource clock) {
        if (identity.leaf().getBasicConstraints() < 0) {
            throw new IllegalArgumentException("the certificate is not a CA certificate");
        }
        return new CertificateAuthority(identity, clock);
    }

    /** Creates an intermediate authority, which issues certificates to servers and clients only. */
    public CertificateAuthority subordinate(String commonName, Duration validity) {
        CertificateRequest.checkText("common name", commonName);
        KeyPair pair = CertificateRequest.KeyKind.EC_P256.generate();
        X500Name name = CertificateProfile.subject(commonName, List.of());
        X509Certificate certificate = profile().subordinate(name, pair.getPublic(), valid(validity));
        return new CertificateAuthority(new TlsIdentity(chain(certificate), pair.getPrivate()), clock);
    }

    /**
     * Issues a certificate and its new key.
     *
     * @return the chain up to, not including, the root; and the key
     */
    public TlsIdentity issue(CertificateRequest request) {
        KeyPair pair = request.key().generate();
        X509Certificate certificate = profile().leaf(request, pair.getPublic(), valid(request.validity()));
        return new TlsIdentity(chain(certificate), pair.getPrivate());
    }

    public X509Certificate certificate() {
        return identity.leaf();
    }

    /** Returns the chain up to, not including, the root; and the key. */
    public TlsIdentity identity() {
        return identity;
    }

    private CertificateProfile profile() {
        return new CertificateProfile(identity.leaf(), identity.key());
    }

    private Validity valid(Duration validity) {
        return Validity.from(
                clock.instant(), validity, identity.leaf().getNotAfter().toInstant());
    }

    private List<X509Certificate> chain(X509Certificate issued) {
        List<X509Certificate> chain = new ArrayList<>(List.of(issued));
        identity.chain().stream().filter(c -> !selfSigned(c)).forEach(chain::add);
        return chain;
    }

    private static boolean selfSigned(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().equals(certificate.getIssuerX500Principal());
    }

    /** Validity period of a certificate, both ends included. */
    record Validity(Instant from, Instant to) {
        /** The last moment that a certificate can express (RFC 5280 section 4.1.2.5). */
        private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");

        static Validity from(Instant now, Duration time, Instant limit) {
            if (!time.isPositive()) {
                throw new IllegalArgumentException("the validity must be positive");
            }
            Instant latest = limit.isBefore(LATEST) ? limit : LATEST;
            boolean beyond = time.compareTo(Duration.between(now, latest)) > 0;
            return new Validity(now.minus(BACKDATED), beyond ? latest : now.plus(time));
        }
    }
}
