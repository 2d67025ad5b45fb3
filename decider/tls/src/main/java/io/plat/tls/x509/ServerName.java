package io.plat.tls.x509;

import io.plat.tls.x509.Verification.Reason;
import io.plat.tls.x509.Verification.Refused;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verification of a server's name in its certificate (RFC 9525).
 *
 * <p>Only subject alternative names count; the common name never does. A host name is compared without case; {@code *} may be the whole first
 * label of a name of at least three labels and matches exactly one label. An address matches only an address.
 */
public final class ServerName {
    private ServerName() {}

    /**
     * Returns the mismatch, or nothing.
     *
     * @param certificate the server's certificate
     * @param host a host name, or an address, an IPv6 one with or without brackets
     */
    public static Optional<Refused> mismatch(X509Certificate certificate, String host) {
        CertificateNames names = CertificateNames.of(certificate);
        if (names.dnsNames().isEmpty() && names.ipAddresses().isEmpty()) {
            return Optional.of(wrong("the certificate has no subject alternative name, expected '" + host + "'"));
        }
        String plain = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        boolean matches = HostSyntax.address(plain)
                .map(address -> names.ipAddresses().contains(address))
                .orElseGet(() -> names.dnsNames().stream().anyMatch(pattern -> matches(pattern, plain)));
        return matches ? Optional.empty() : Optional.of(wrong(describe(names, host)));
    }

    private static String describe(CertificateNames names, String host) {
        String valid = Stream.concat(
                        names.dnsNames().stream(), names.ipAddresses().stream().map(InetAddress::getHostAddress))
                .limit(10)
                .collect(Collectors.joining("', '"));
        return "the certificate is for '" + valid + "', expected '" + host + "'";
    }

    private static Refused wrong(String message) {
        return new Refused(Reason.WRONG_NAME, message);
    }

    private static boolean matches(String pattern, String host) {
        List<String> wanted = labels(host);
        List<String> given = labels(pattern);
        if (wanted.size() != given.size() || wanted.contains("") || given.contains("")) {
            return false;
        }
        boolean wildcard = given.getFirst().equals("*") && given.size() > 2;
        return wildcard
                ? given.subList(1, given.size()).equals(wanted.subList(1, wanted.size()))
                : given.equals(wanted);
    }

    private static List<String> labels(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        // A trailing dot only marks the name as complete.
        return List.of((lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower).split("\\.", -1));
    }
}
