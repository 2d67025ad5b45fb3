package io.plat.apiserver.authentication;

import io.plat.http.authentication.Authentication;
import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.http.authentication.Authenticator;
import io.plat.http.authentication.Credentials;
import io.plat.review.UserInfo;
import io.plat.review.request.PercentDecoding;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.CertificateVerifier.Verification;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Authenticator of users that a front proxy has authenticated and names in header fields ({@code --requestheader-client-ca-file} and
 * related flags).
 *
 * <p>The proxy authenticates with a client certificate of a dedicated CA and an allowed common name. The fields are ignored for other
 * clients, which are authenticated by their own credentials. A proxy that names no user is authenticated like any other client.
 *
 * @param verifier verifies chains against the CA of front proxies
 * @param clients verifies chains of clients: without allowed names, none of these may be a proxy
 * @param allowedNames the common names that a proxy may have; empty for any
 */
public record FrontProxyAuthenticator(
        CertificateVerifier verifier, CertificateVerifier clients, List<String> allowedNames, HeaderNames names)
        implements Authenticator {
    public FrontProxyAuthenticator {
        allowedNames = List.copyOf(allowedNames);
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        Optional<String> user = first(credentials, names.user());
        if (user.isEmpty()) {
            return Absent.ABSENT;
        }
        List<X509Certificate> chain = credentials.certificates();
        if (chain.isEmpty()) {
            return Absent.ABSENT;
        }
        return switch (verifier.verify(chain)) {
            // The certificate may be a client's own, which another authenticator handles.
            case Verification.Refused _ -> Absent.ABSENT;
            case Verification.Verified _
            when allowedNames.isEmpty() && clients.verify(chain) instanceof Verification.Verified ->
                new Refused("front proxy: the certificate is valid for clients too, and no proxy names are configured");
            case Verification.Verified verified -> named(verified.leaf(), user.get(), credentials);
        };
    }

    private Authentication named(X509Certificate proxy, String user, Credentials credentials) {
        String name = CertificateNames.of(proxy).commonName();
        if (!allowedNames.isEmpty() && !allowedNames.contains(name)) {
            return new Refused("front proxy: the common name of its certificate is not allowed");
        }
        Set<String> groups = new LinkedHashSet<>();
        for (String header : names.groups()) {
            groups.addAll(credentials.headers(header));
        }
        groups.remove("");
        return new Authenticated(new UserInfo(
                user,
                first(credentials, names.uid()).orElse(""),
                List.copyOf(groups),
                extra(credentials, names.extraPrefixes())));
    }

    private static Optional<String> first(Credentials credentials, List<String> headers) {
        for (String header : headers) {
            List<String> values = credentials.headers(header);
            if (!values.isEmpty() && !values.getFirst().isEmpty()) {
                return Optional.of(values.getFirst());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns extra fields from headers. Header names are case-insensitive, so keys with upper case letters or characters that are not
     * allowed in a token are percent-encoded.
     *
     * @param prefixes prefixes of the field names, in lower case; the rest is the key
     */
    public static Map<String, List<String>> extra(Credentials credentials, List<String> prefixes) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        Set<String> processed = new LinkedHashSet<>();
        for (String header : credentials.headerNames()) {
            String lower = header.toLowerCase(Locale.ROOT);
            for (String prefix : prefixes) {
                if (lower.startsWith(prefix) && processed.add(lower)) {
                    String encoded = lower.substring(prefix.length());
                    String key = PercentDecoding.decode(encoded, false).orElse(encoded);
                    extra.computeIfAbsent(key, absent -> new ArrayList<>()).addAll(credentials.headers(header));
                }
            }
        }
        return extra;
    }

    /**
     * Header fields in which a front proxy names a user. Names are case-insensitive.
     *
     * @param user fields for the user name; the first present one counts
     * @param uid fields for the uid
     * @param groups fields for groups; all of them count
     * @param extraPrefixes prefixes of fields for extra values
     */
    public record HeaderNames(List<String> user, List<String> uid, List<String> groups, List<String> extraPrefixes) {
        public HeaderNames {
            user = lower(user);
            uid = lower(uid);
            groups = lower(groups);
            extraPrefixes = lower(extraPrefixes);
        }

        private static List<String> lower(List<String> names) {
            return names.stream()
                    .map(name -> name.toLowerCase(Locale.ROOT))
                    .distinct()
                    .toList();
        }

        public boolean includes(String headerName) {
            String name = headerName.toLowerCase(Locale.ROOT);
            return Stream.of(user, uid, groups).anyMatch(names -> names.contains(name))
                    || extraPrefixes.stream().anyMatch(name::startsWith);
        }
    }
}
