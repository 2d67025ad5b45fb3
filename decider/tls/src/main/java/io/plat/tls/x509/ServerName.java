package io.plat.tls.x509;

import io.plat.tls.x509.CertificateVerifier.Verification.Reason;
import io.plat.tls.x509.CertificateVerifier.Verification.Refused;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
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
     * @param host a host name, or an address, an IPv6 one with or without brackets
     */
    public static Optional<Refused> mismatch(X509Certificate certificate, String host) {
        CertificateNames names = CertificateNames.of(certificate);
        if (names.dnsNames().isEmpty() && names.ipAddresses().isEmpty()) {
            return Optional.of(wrongName("the certificate has no subject alternative name, expected '" + host + "'"));
        }
        String plain = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        boolean matches = HostSyntax.address(plain)
                .map(address -> names.ipAddresses().contains(address))
                .orElseGet(() -> names.dnsNames().stream().anyMatch(pattern -> matches(pattern, plain)));
        return matches ? Optional.empty() : Optional.of(wrongName(describe(names, host)));
    }

    private static String describe(CertificateNames names, String host) {
        String valid = Stream.concat(
                        names.dnsNames().stream(), names.ipAddresses().stream().map(InetAddress::getHostAddress))
                .limit(10)
                .collect(Collectors.joining("', '"));
        return "the certificate is for '" + valid + "', expected '" + host + "'";
    }

    private static Refused wrongName(String message) {
        return new Refused(Reason.WRONG_NAME, message);
    }

    private static boolean matches(String pattern, String host) {
        List<String> hostLabels = labels(host);
        List<String> patternLabels = labels(pattern);
        if (hostLabels.size() != patternLabels.size() || hostLabels.contains("") || patternLabels.contains("")) {
            return false;
        }
        boolean wildcard = patternLabels.getFirst().equals("*") && patternLabels.size() > 2;
        return wildcard
                ? patternLabels.subList(1, patternLabels.size()).equals(hostLabels.subList(1, hostLabels.size()))
                : patternLabels.equals(hostLabels);
    }

    private static List<String> labels(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        // A trailing dot only marks the name as complete.
        return List.of((lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower).split("\\.", -1));
    }

    /** Syntax of addresses and host names. Nothing is ever resolved. */
    public static final class HostSyntax {
        private static final Pattern DOTTED = Pattern.compile("[0-9.]+");
        private static final Pattern QUAD = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
        private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?");
        private static final int MAX_NAME = 253;

        private HostSyntax() {}

        /** Returns whether the text can only be an address: it has a colon, or nothing but digits and dots. */
        public static boolean looksLikeAddress(String text) {
            return text.contains(":") || DOTTED.matcher(text).matches();
        }

        /** Parses an address (dotted quad, or IPv6 without a scope); empty for anything else. */
        public static Optional<InetAddress> address(String text) {
            boolean isLiteral = QUAD.matcher(text).matches() || (text.contains(":") && !text.contains("%"));
            if (!isLiteral) {
                return Optional.empty();
            }
            try {
                return Optional.of(InetAddress.ofLiteral(text));
            } catch (IllegalArgumentException _) {
                return Optional.empty();
            }
        }

        /** Returns whether the text is a host name, possibly with {@code *} as its whole first label. */
        public static boolean isName(String text) {
            String name = text.startsWith("*.") ? text.substring(2) : text;
            if (text.length() > MAX_NAME || looksLikeAddress(text)) {
                return false;
            }
            for (String label : name.split("\\.", -1)) {
                if (!LABEL.matcher(label).matches()) {
                    return false;
                }
            }
            return true;
        }
    }
}
