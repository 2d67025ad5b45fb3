package io.plat.apiserver.authentication.header;

import io.plat.apiserver.authentication.Authentication;
import io.plat.apiserver.authentication.Authentication.Absent;
import io.plat.apiserver.authentication.Authentication.Authenticated;
import io.plat.apiserver.authentication.Authentication.Refused;
import io.plat.apiserver.authentication.Authenticator;
import io.plat.apiserver.authentication.Credentials;
import io.plat.apiserver.request.PercentDecoding;
import io.plat.review.UserInfo;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.Verification;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Users named in header fields by a front proxy that has authenticated them ({@code --requestheader-client-ca-file} and its kin).
 *
 * <p>The proxy proves itself by a client certificate of an authority that certifies nothing else, and by a name that is allowed. The
 * fields of anybody else say nothing: whoever sends them is who their own credential says. A proxy that names no user is none
 * here, and has to prove itself otherwise.
 */
public final class FrontProxyAuthenticator implements Authenticator {
    private final CertificateVerifier verifier;
    private final List<String> allowedNames;
    private final HeaderNames names;

    /**
     * An authenticator.
     *
     * @param verifier judges chains by the authority of front proxies
     * @param allowedNames the common names that a proxy may have; empty for any
     */
    public FrontProxyAuthenticator(CertificateVerifier verifier, List<String> allowedNames, HeaderNames names) {
        this.verifier = verifier;
        this.allowedNames = List.copyOf(allowedNames);
        this.names = names;
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
            // The certificate may be a client's own, which is for another authenticator to say.
            case Verification.Refused _ -> Absent.ABSENT;
            case Verification.Verified verified -> named(verified.leaf(), user.get(), credentials);
        };
    }

    private Authentication named(X509Certificate proxy, String user, Credentials credentials) {
        String name = CertificateNames.of(proxy).commonName();
        if (!allowedNames.isEmpty() && !allowedNames.contains(name)) {
            return new Refused("front proxy: its certificate has a name that is not allowed");
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
     * Further facts in header fields. Names of header fields have no case, so that a key with upper case letters, or characters that no
     * token could hold, is percent-encoded.
     *
     * @param prefixes what the names of the fields begin with, in lower case; the rest is the key
     */
    public static Map<String, List<String>> extra(Credentials credentials, List<String> prefixes) {
        Map<String, List<String>> extra = new LinkedHashMap<>();
        Set<String> done = new LinkedHashSet<>();
        for (String header : credentials.headerNames()) {
            String lower = header.toLowerCase(Locale.ROOT);
            for (String prefix : prefixes) {
                if (lower.startsWith(prefix) && done.add(lower)) {
                    String encoded = lower.substring(prefix.length());
                    String key = PercentDecoding.decode(encoded, false).orElse(encoded);
                    extra.computeIfAbsent(key, absent -> new ArrayList<>()).addAll(credentials.headers(header));
                }
            }
        }
        return extra;
    }
}
