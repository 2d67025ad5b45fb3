package io.plat.tls.x509;

import io.plat.tls.x509.CertificateVerifier.Verification.Reason;
import io.plat.tls.x509.CertificateVerifier.Verification.Refused;
import io.plat.tls.x509.CertificateVerifier.Verification.Verified;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Verification of a peer's certificate chain with the current CA bundle.
 *
 * <p>Checks the validity of every certificate of the path, the authority included; the extended key usage of each (RFC 5280 section 4.2.1.12: absent
 * means any); and everything else that the JDK validates (signatures, basic constraints, path lengths, name constraints). SHA-1 and MD5 signatures
 * are refused. Revocation is not checked.
 *
 * <p>The result for a chain is cached while the bundle stays the same, so that verifying for every request of a connection costs a lookup;
 * validity is compared with the clock every time. Thread-safe.
 */
public final class CertificateVerifier {
    /** Maximum number of certificates that a peer may send, equal to the JDK's own limit. */
    static final int MAX_CHAIN = 10;

    private static final int MAX_REMEMBERED = 1024;

    private final Supplier<TrustBundle> trust;
    private final CertificateUsage usage;
    private final InstantSource clock;
    private volatile @Nullable VerifiedChains memory;

    /**
     * Creates a verifier.
     *
     * @param trust supplies the bundle for each verification
     * @param usage the required usage of the peer's certificate
     * @param clock the clock for validity
     */
    public CertificateVerifier(Supplier<TrustBundle> trust, CertificateUsage usage, InstantSource clock) {
        this.trust = trust;
        this.usage = usage;
        this.clock = clock;
    }

    /** Returns the certificates that the peer of a TLS session presented, leaf first; empty if it presented none. */
    public static List<X509Certificate> presented(SSLSession session) {
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                chain.add((X509Certificate) certificate);
            }
        } catch (SSLPeerUnverifiedException _) {
            return List.of();
        }
        return List.copyOf(chain);
    }

    /**
     * Verifies a chain.
     *
     * @param chain leaf first, intermediates in any order; may be empty
     */
    public Verification verify(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            return new Refused(Reason.ABSENT, "no certificate was presented");
        }
        if (chain.size() > MAX_CHAIN) {
            return new Refused(
                    Reason.UNTRUSTED, "the chain has " + chain.size() + " certificates, expected at most " + MAX_CHAIN);
        }
        Instant now = clock.instant();
        VerifiedChains known = memory(trust.get());
        ValidityPeriod window = known.periods().get(chain);
        return window != null && window.contains(now)
                ? new Verified(chain.getFirst())
                : validate(List.copyOf(chain), known, now);
    }

    /** Returns the current bundle: a different object only if its certificates differ. */
    public TrustBundle trusted() {
        return trust.get();
    }

    /**
     * Returns the last moment at which a verified chain is valid under the current bundle.
     *
     * @return empty if the chain is refused
     */
    public Optional<Instant> validUntil(List<X509Certificate> chain) {
        if (!(verify(chain) instanceof Verified)) {
            return Optional.empty();
        }
        ValidityPeriod window = memory(trust.get()).periods().get(chain);
        // Evicted by another thread; the past makes the caller verify it again.
        return Optional.of(window == null ? Instant.MIN : window.to());
    }

    private Verification validate(List<X509Certificate> chain, VerifiedChains known, Instant now) {
        return switch (new PathValidator(known.bundle(), usage, now).validate(chain)) {
            case PathValidator.Path path -> {
                known.remember(chain, ValidityPeriod.of(path.certificates()));
                yield new Verified(chain.getFirst());
            }
            case PathValidator.NoPath noPath -> noPath.refusal();
        };
    }

    private VerifiedChains memory(TrustBundle bundle) {
        VerifiedChains known = memory;
        if (known == null || known.bundle() != bundle) {
            known = new VerifiedChains(bundle, new ConcurrentHashMap<>());
            memory = known;
        }
        return known;
    }

    /** Cache of chains verified by a bundle. Rejected ones are not cached, as they could fill memory. */
    private record VerifiedChains(TrustBundle bundle, Map<List<X509Certificate>, ValidityPeriod> periods) {
        void remember(List<X509Certificate> chain, ValidityPeriod window) {
            if (periods.size() >= MAX_REMEMBERED) {
                periods.clear();
            }
            periods.put(chain, window);
        }
    }

    /** Period in which every certificate of a path is valid, both ends included. */
    private record ValidityPeriod(Instant from, Instant to) {
        static ValidityPeriod of(List<X509Certificate> path) {
            Instant from = Instant.MIN;
            Instant to = Instant.MAX;
            for (X509Certificate certificate : path) {
                Instant begin = certificate.getNotBefore().toInstant();
                Instant end = certificate.getNotAfter().toInstant();
                from = begin.isAfter(from) ? begin : from;
                to = end.isBefore(to) ? end : to;
            }
            return new ValidityPeriod(from, to);
        }

        boolean contains(Instant now) {
            return !now.isBefore(from) && !now.isAfter(to);
        }
    }

    /** Result of verifying a peer's certificate. */
    public sealed interface Verification {
        /**
         * The certificate is trusted.
         *
         * @param leaf the peer's own certificate
         */
        record Verified(X509Certificate leaf) implements Verification {}

        /**
         * The certificate is rejected.
         *
         * @param reason the kind of defect
         * @param message the defect in one line, lower case, for a log or for the peer itself
         */
        record Refused(Reason reason, String message) implements Verification {}

        /** Reason for rejecting a certificate. */
        enum Reason {
            /** The peer presented none. */
            ABSENT,
            /** The certificate, or one above it, has expired. */
            EXPIRED,
            /** The certificate, or one above it, is not valid yet. */
            NOT_YET_VALID,
            /** The certificate was not issued for this usage. */
            WRONG_USAGE,
            /** There is no path to a trusted authority, or a certificate of the path may not issue it. */
            UNTRUSTED,
            /** The certificate belongs to another server. */
            WRONG_NAME
        }
    }
}
