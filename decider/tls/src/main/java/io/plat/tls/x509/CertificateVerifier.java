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
 * <p>Checked are the validity of every certificate on the way, the authority included; the extended key usage of each (RFC 5280
 * section 4.2.1.12: absent means any); the rest of path validation (signatures, basic constraints, path lengths, name constraints)
 * as the JDK does it. SHA-1 and MD5 signatures are refused. Revocation is not checked: authorities of this kind publish none.
 *
 * <p>The result for a chain is cached while the bundle stays the same, so that verifying for every request of a connection costs a lookup;
 * validity is compared with the clock every time. Safe for use by many threads.
 */
public final class CertificateVerifier {
    /** The most certificates that a peer may send; as much as the JDK's own limit. */
    static final int MAX_CHAIN = 10;

    private static final int MAX_REMEMBERED = 1024;

    private final Supplier<TrustBundle> trust;
    private final CertificateUsage usage;
    private final InstantSource clock;
    private volatile @Nullable Memory memory;

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

    /** The certificates that the peer of a TLS session presented, leaf first; empty where it presented none. */
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
     * Judges a chain.
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
        Memory known = memory(trust.get());
        Window window = known.windows().get(chain);
        return window != null && window.contains(now)
                ? new Verified(chain.getFirst())
                : judge(List.copyOf(chain), known, now);
    }

    /** Returns the current bundle: another object only if it has other certificates. */
    public TrustBundle trusted() {
        return trust.get();
    }

    /**
     * The last moment at which a chain that was verified is valid, by the bundle that is loaded now.
     *
     * @return empty where the chain is refused
     */
    public Optional<Instant> validUntil(List<X509Certificate> chain) {
        if (!(verify(chain) instanceof Verified)) {
            return Optional.empty();
        }
        Window window = memory(trust.get()).windows().get(chain);
        // Evicted meanwhile: to be verified again at once.
        return Optional.of(window == null ? Instant.MIN : window.to());
    }

    private Verification judge(List<X509Certificate> chain, Memory known, Instant now) {
        return switch (new PathValidator(known.bundle(), usage, now).judge(chain)) {
            case PathValidator.Path path -> {
                known.remember(chain, Window.of(path.certificates()));
                yield new Verified(chain.getFirst());
            }
            case PathValidator.NoPath noPath -> noPath.refusal();
        };
    }

    private Memory memory(TrustBundle bundle) {
        Memory known = memory;
        if (known == null || known.bundle() != bundle) {
            known = new Memory(bundle, new ConcurrentHashMap<>());
            memory = known;
        }
        return known;
    }

    /** Chains that a bundle verified. Rejected ones are not cached, as they could fill memory. */
    private record Memory(TrustBundle bundle, Map<List<X509Certificate>, Window> windows) {
        void remember(List<X509Certificate> chain, Window window) {
            if (windows.size() >= MAX_REMEMBERED) {
                windows.clear();
            }
            windows.put(chain, window);
        }
    }

    /** The time in which every certificate of a path is valid, both ends included. */
    private record Window(Instant from, Instant to) {
        static Window of(List<X509Certificate> path) {
            Instant from = Instant.MIN;
            Instant to = Instant.MAX;
            for (X509Certificate certificate : path) {
                Instant begin = certificate.getNotBefore().toInstant();
                Instant end = certificate.getNotAfter().toInstant();
                from = begin.isAfter(from) ? begin : from;
                to = end.isBefore(to) ? end : to;
            }
            return new Window(from, to);
        }

        boolean contains(Instant now) {
            return !now.isBefore(from) && !now.isAfter(to);
        }
    }

    /** The judgement on a peer's certificate. */
    public sealed interface Verification {
        /**
         * It is to be believed.
         *
         * @param leaf the peer's own certificate
         */
        record Verified(X509Certificate leaf) implements Verification {}

        /**
         * It is not.
         *
         * @param reason the kind of defect
         * @param message the defect in one line, lower case, for a log or for the peer itself
         */
        record Refused(Reason reason, String message) implements Verification {}

        /** Reason for rejecting a certificate. */
        enum Reason {
            /** The peer presented none. */
            ABSENT,
            /** The validity of the certificate, or of one above it, is over. */
            EXPIRED,
            /** The validity of the certificate, or of one above it, has not begun. */
            NOT_YET_VALID,
            /** It was not issued for this usage. */
            WRONG_USAGE,
            /** It can't be traced to a trusted authority, or a certificate on the way is not fit to issue it. */
            UNTRUSTED,
            /** It is a server's, but not this server's. */
            WRONG_NAME
        }
    }
}
