package io.plat.tls.pki;

import io.plat.tls.x509.CertificateUsage;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * A request for a certificate of a server or client.
 *
 * @param commonName the subject's common name; a user name for clients
 * @param organisations the subject's organisations; a user's groups for clients
 * @param names subject alternative names
 * @param usages extended key usages; at least one
 * @param validity its validity, limited to the authority's own
 * @param key the kind of its key
 */
public record CertificateRequest(
        String commonName,
        List<String> organisations,
        List<AlternativeName> names,
        Set<CertificateUsage> usages,
        Duration validity,
        KeyKind key) {
    /** A year, as servers and clients usually get. */
    public static final Duration DEFAULT_VALIDITY = Duration.ofDays(365);

    private static final int MAX_TEXT = 256;

    /**
     * Checks the parts.
     *
     * @throws IllegalArgumentException where a name is empty, too long or has control characters, no usage is given, or the
     *     validity is not positive; the message is one line
     */
    public CertificateRequest {
        organisations = List.copyOf(organisations);
        names = List.copyOf(names);
        usages = Set.copyOf(usages);
        Objects.requireNonNull(key);
        checkText("common name", commonName);
        organisations.forEach(o -> checkText("organisation", o));
        if (usages.isEmpty()) {
            throw new IllegalArgumentException("a certificate is for a server, a client or both");
        }
        if (!validity.isPositive()) {
            throw new IllegalArgumentException("a validity is longer than nothing");
        }
    }

    /** A server's, for a year. */
    public static CertificateRequest server(String commonName, String... names) {
        return new CertificateRequest(
                commonName,
                List.of(),
                Arrays.stream(names).map(AlternativeName::parse).toList(),
                Set.of(CertificateUsage.SERVER),
                DEFAULT_VALIDITY,
                KeyKind.EC_P256);
    }

    /** A client's, for a year. */
    public static CertificateRequest client(String commonName, String... organisations) {
        return new CertificateRequest(
                commonName,
                List.of(organisations),
                List.of(),
                Set.of(CertificateUsage.CLIENT),
                DEFAULT_VALIDITY,
                KeyKind.EC_P256);
    }

    /** The same for another time. */
    public CertificateRequest validFor(Duration time) {
        return new CertificateRequest(commonName, organisations, names, usages, time, key);
    }

    /** The same for other usages. */
    public CertificateRequest usedFor(CertificateUsage... other) {
        return new CertificateRequest(commonName, organisations, names, Set.of(other), validity, key);
    }

    /** The same with a key of another kind. */
    public CertificateRequest withKey(KeyKind kind) {
        return new CertificateRequest(commonName, organisations, names, usages, validity, kind);
    }

    static void checkText(String what, String text) {
        if (text.isBlank() || text.length() > MAX_TEXT || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "the " + what + " is empty, longer than " + MAX_TEXT + " characters or has control characters");
        }
    }
}
