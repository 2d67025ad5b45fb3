package io.plat.tls.x509;

import io.plat.tls.x509.CertificateVerifier.Verification.Reason;
import io.plat.tls.x509.CertificateVerifier.Verification.Refused;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertStore;
import java.security.cert.Certificate;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXCertPathBuilderResult;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.NameConstraints;
import org.jspecify.annotations.Nullable;

/**
 * Search for a path from a leaf to a trusted certificate at one moment.
 *
 * <p>The JDK's path builder searches among the authorities that may issue; this adds what the builder omits (the anchor's own validity and
 * constraints, usages above the leaf) and an actionable reason.
 */
record PathValidator(TrustBundle trust, CertificateUsage usage, Instant now) {
    private static final int DIGITAL_SIGNATURE = 0;
    private static final int CERTIFICATE_SIGNING = 5;

    /** Maximum number of certificates with the same name and key. */
    private static final int MAX_EQUAL = 2;

    /** Result of the search. */
    sealed interface Outcome {}

    /** Path from the leaf to the trusted certificate. */
    record Path(List<X509Certificate> certificates) implements Outcome {}

    /** No path was found. */
    record NoPath(Refused refusal) implements Outcome {}

    Outcome validate(List<X509Certificate> chain) {
        X509Certificate leaf = chain.getFirst();
        Refused defect = validity(leaf, "the certificate");
        if (defect == null) {
            defect = usage(leaf);
        }
        if (defect != null) {
            return new NoPath(defect);
        }
        // Trusted itself, like a self-signed certificate in a bundle: there is no issuer to find.
        return trust.contains(leaf) ? new Path(List.of(leaf)) : build(chain);
    }

    private Outcome build(List<X509Certificate> chain) {
        Set<TrustAnchor> authorities = trust.anchors().stream()
                .filter(a -> mayIssue(a.getTrustedCert()))
                .collect(Collectors.toSet());
        if (authorities.isEmpty()) {
            return new NoPath(explain(chain, "there is no trusted authority that is valid now"));
        }
        try {
            PKIXCertPathBuilderResult built = (PKIXCertPathBuilderResult)
                    CertPathBuilder.getInstance("PKIX").build(parameters(chain, authorities));
            return accept(built);
        } catch (CertPathBuilderException e) {
            return new NoPath(explain(chain, reason(e)));
        } catch (InvalidAlgorithmParameterException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK builds PKIX paths", e);
        }
    }

    private PKIXBuilderParameters parameters(List<X509Certificate> chain, Set<TrustAnchor> authorities)
            throws InvalidAlgorithmParameterException, NoSuchAlgorithmException {
        X509CertSelector target = new X509CertSelector();
        target.setCertificate(chain.getFirst());
        PKIXBuilderParameters parameters = new PKIXBuilderParameters(authorities, target);
        parameters.addCertStore(
                CertStore.getInstance("Collection", new CollectionCertStoreParameters(candidates(chain))));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(now));
        parameters.setMaxPathLength(CertificateVerifier.MAX_CHAIN);
        return parameters;
    }

    /**
     * Returns the certificates that may be part of the path. Several of one name and key are legitimate, as after a renewal or cross-certification;
     * but the builder tries all orders of the many that a stranger can make.
     */
    private static List<X509Certificate> candidates(List<X509Certificate> chain) {
        List<X509Certificate> candidates = new ArrayList<>();
        for (X509Certificate certificate : chain) {
            long equal = candidates.stream()
                    .filter(other -> other.getSubjectX500Principal().equals(certificate.getSubjectX500Principal())
                            && other.getPublicKey().equals(certificate.getPublicKey()))
                    .count();
            if (equal < MAX_EQUAL) {
                candidates.add(certificate);
            }
        }
        return candidates;
    }

    private Outcome accept(PKIXCertPathBuilderResult built) {
        List<X509Certificate> path = new ArrayList<>();
        for (Certificate certificate : built.getCertPath().getCertificates()) {
            X509Certificate step = (X509Certificate) certificate;
            if (isWeaklySigned(step)) {
                return new NoPath(new Refused(
                        Reason.UNTRUSTED, "the signature of " + quote(step) + " uses " + step.getSigAlgName()));
            }
            if (!usage.isPermittedBy(step)) {
                return new NoPath(wrongUsage(quote(step)));
            }
            path.add(step);
        }
        path.add(built.getTrustAnchor().getTrustedCert());
        for (X509Certificate step : path) {
            if (constrainsDirectoryNames(step)) {
                return new NoPath(new Refused(
                        Reason.UNTRUSTED,
                        quote(step) + " has a critical constraint of directory names, which is not supported"));
            }
        }
        return new Path(List.copyOf(path));
    }

    /**
     * Returns whether an authority's critical extension constrains directory names. Such a constraint compares the beginning of a name (RFC 5280,
     * 7.1), so it would not bound the groups of a user, which are all organizations in it. Go's servers refuse it too.
     */
    private static boolean constrainsDirectoryNames(X509Certificate authority) {
        Set<String> critical = authority.getCriticalExtensionOIDs();
        String extension = Extension.nameConstraints.getId();
        if (critical == null || !critical.contains(extension)) {
            return false;
        }
        NameConstraints constraints =
                NameConstraints.getInstance(ASN1OctetString.getInstance(authority.getExtensionValue(extension))
                        .getOctets());
        return Stream.of(constraints.getPermittedSubtrees(), constraints.getExcludedSubtrees())
                .filter(Objects::nonNull)
                .flatMap(Stream::of)
                .anyMatch(subtree -> subtree.getBase().getTagNo() == GeneralName.directoryName);
    }

    private static boolean isWeaklySigned(X509Certificate certificate) {
        String algorithm = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        return algorithm.startsWith("SHA1") || algorithm.startsWith("MD");
    }

    /** Returns whether an authority may issue: valid, and by its extensions, if present, a CA that signs certificates. */
    private boolean mayIssue(X509Certificate authority) {
        boolean[] keyUsage = authority.getKeyUsage();
        return validity(authority, "") == null
                && (authority.getVersion() < 3 || authority.getBasicConstraints() >= 0)
                && (keyUsage == null || keyUsage[CERTIFICATE_SIGNING]);
    }

    private @Nullable Refused validity(X509Certificate certificate, String what) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant to = certificate.getNotAfter().toInstant();
        if (now.isAfter(to)) {
            return new Refused(Reason.EXPIRED, what + " expired at " + to);
        }
        return now.isBefore(from) ? new Refused(Reason.NOT_YET_VALID, what + " is not valid before " + from) : null;
    }

    private @Nullable Refused usage(X509Certificate leaf) {
        boolean[] keyUsage = leaf.getKeyUsage();
        boolean signs = keyUsage == null || keyUsage[DIGITAL_SIGNATURE];
        // A client always signs; a server may also decrypt, which the handshake checks.
        if (!usage.isPermittedBy(leaf) || (usage == CertificateUsage.CLIENT && !signs)) {
            return wrongUsage("the certificate");
        }
        return null;
    }

    private Refused wrongUsage(String what) {
        return new Refused(Reason.WRONG_USAGE, what + " was not issued for " + usage.title());
    }

    /** Follows the chain by names and signatures to find the broken link. */
    private Refused explain(List<X509Certificate> chain, String otherwise) {
        X509Certificate current = chain.getFirst();
        for (int step = 0; step < chain.size(); step++) {
            X509Certificate issuer = issuer(current, chain);
            if (issuer == null) {
                return new Refused(
                        Reason.UNTRUSTED,
                        "the certificate is signed by '"
                                + current.getIssuerX500Principal().getName() + "', which is not a trusted authority");
            }
            Refused defect = validity(issuer, "the certificate of the authority " + quote(issuer));
            if (defect != null) {
                return defect;
            }
            if (trust.contains(issuer)) {
                break;
            }
            current = issuer;
        }
        return new Refused(Reason.UNTRUSTED, "the certificate cannot be traced to a trusted authority: " + otherwise);
    }

    private @Nullable X509Certificate issuer(X509Certificate certificate, List<X509Certificate> chain) {
        return Stream.concat(trust.certificates().stream(), chain.stream())
                .filter(c -> !c.equals(certificate) && isIssuedBy(certificate, c))
                .findFirst()
                .orElse(null);
    }

    private static boolean isIssuedBy(X509Certificate certificate, X509Certificate issuer) {
        if (!issuer.getSubjectX500Principal().equals(certificate.getIssuerX500Principal())) {
            return false;
        }
        try {
            certificate.verify(issuer.getPublicKey());
            return true;
        } catch (GeneralSecurityException _) {
            return false;
        }
    }

    private static String reason(CertPathBuilderException e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        String message = cause.getMessage();
        return message == null
                ? "no reason is known"
                : message.lines().findFirst().orElse("no reason is known");
    }

    private static String quote(X509Certificate certificate) {
        return "'" + certificate.getSubjectX500Principal().getName() + "'";
    }
}
