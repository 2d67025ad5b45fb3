package io.plat.tls.pki;

import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.ServerName.HostSyntax;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A request for a certificate of a server or client.
 *
 * @param commonName the subject's common name; a user name for clients
 * @param organizations the subject's organizations; a user's groups for clients
 * @param names subject alternative names
 * @param usages extended key usages; at least one
 * @param validity its validity, limited to the authority's own
 * @param key the kind of its key
 */
public record CertificateRequest(
        String commonName,
        List<String> organizations,
        List<AlternativeName> names,
        Set<CertificateUsage> usages,
        Duration validity,
        KeyKind key) {
    /** One year, the usual validity for servers and clients. */
    public static final Duration DEFAULT_VALIDITY = Duration.ofDays(365);

    private static final int MAX_TEXT = 256;

    /**
     * Validates the components.
     *
     * @throws IllegalArgumentException if a name is empty, too long or has control characters, no usage is given, or the validity is not positive;
     * the message is one line
     */
    public CertificateRequest {
        organizations = List.copyOf(organizations);
        names = List.copyOf(names);
        usages = Set.copyOf(usages);
        checkText("common name", commonName);
        organizations.forEach(o -> checkText("organization", o));
        if (usages.isEmpty()) {
            throw new IllegalArgumentException("a certificate needs at least one usage");
        }
        if (!validity.isPositive()) {
            throw new IllegalArgumentException("the validity must be positive");
        }
    }

    /** Returns a request for a server certificate, valid for a year. */
    public static CertificateRequest server(String commonName, String... names) {
        return new CertificateRequest(
                commonName,
                List.of(),
                Arrays.stream(names).map(AlternativeName::parse).toList(),
                Set.of(CertificateUsage.SERVER),
                DEFAULT_VALIDITY,
                KeyKind.EC_P256);
    }

    /** Returns a request for a client certificate, valid for a year. */
    public static CertificateRequest client(String commonName, String... organizations) {
        return new CertificateRequest(
                commonName,
                List.of(organizations),
                List.of(),
                Set.of(CertificateUsage.CLIENT),
                DEFAULT_VALIDITY,
                KeyKind.EC_P256);
    }

    /** Returns the same request with another validity. */
    public CertificateRequest validFor(Duration time) {
        return new CertificateRequest(commonName, organizations, names, usages, time, key);
    }

    /** Returns the same request with other usages. */
    public CertificateRequest usedFor(CertificateUsage... other) {
        return new CertificateRequest(commonName, organizations, names, Set.of(other), validity, key);
    }

    /** Returns the same request with another kind of key. */
    public CertificateRequest withKey(KeyKind kind) {
        return new CertificateRequest(commonName, organizations, names, usages, validity, kind);
    }

    static void checkText(String what, String text) {
        if (text.isBlank() || text.length() > MAX_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "the " + what + " is empty, longer than " + MAX_TEXT + " characters or has control characters");
        }
    }

    /** Kinds of generated keys. */
    public enum KeyKind {
        /** Elliptic curve P-256: the default, small and quick everywhere. */
        EC_P256,
        /** RSA of 2048 bits, for peers that support nothing else. */
        RSA_2048,
        ED25519;

        KeyPair generate() {
            try {
                return switch (this) {
                    case EC_P256 -> {
                        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                        generator.initialize(new ECGenParameterSpec("secp256r1"));
                        yield generator.generateKeyPair();
                    }
                    case RSA_2048 -> {
                        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                        generator.initialize(2048);
                        yield generator.generateKeyPair();
                    }
                    case ED25519 -> KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
                };
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("every JDK supports such keys", e);
            }
        }

        /** Returns the signature algorithm that suits a key. */
        static String signatureAlgorithm(PrivateKey key) {
            return switch (key) {
                case ECKey ec when ec.getParams().getCurve().getField().getFieldSize() > 256 -> "SHA384withECDSA";
                case ECKey _ -> "SHA256withECDSA";
                case EdECKey edwards -> edwards.getParams().getName();
                case RSAKey _ -> "SHA256withRSA";
                default -> throw new IllegalArgumentException("unsupported key algorithm: " + key.getAlgorithm());
            };
        }
    }

    /**
     * A subject alternative name of a server.
     *
     * @param text a host name, possibly with {@code *} as its whole first label, or an address
     */
    public record AlternativeName(String text, boolean isAddress) {
        /**
         * Parses a name as an address or a host name.
         *
         * @throws IllegalArgumentException if it is neither; the message is one line
         */
        public static AlternativeName parse(String text) {
            if (HostSyntax.looksLikeAddress(text)) {
                return HostSyntax.address(text)
                        .map(address -> new AlternativeName(address.getHostAddress(), true))
                        .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not an IP address"));
            }
            if (!HostSyntax.isName(text)) {
                throw new IllegalArgumentException("'" + text + "' is not a host name");
            }
            return new AlternativeName(text, false);
        }
    }
}
