package io.plat.http.authentication;

import io.plat.http.authentication.Authentication.Absent;
import io.plat.http.authentication.Authentication.Authenticated;
import io.plat.http.authentication.Authentication.Refused;
import io.plat.review.UserInfo;
import io.plat.tls.x509.CertificateNames;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.CertificateVerifier.Verification;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Authenticator of client certificates ({@code --client-ca-file}): the common name is the user, the organizations are the groups.
 *
 * <p>The chain is verified for every request, with caching in the verifier, so that no result outlives the certificate or a change of the
 * trusted CAs. Only the names are cached here, and those never change.
 */
public final class ClientCertificateAuthenticator implements Authenticator {
    private static final int MAX_REMEMBERED = 1024;

    private final CertificateVerifier verifier;
    private final Map<X509Certificate, UserInfo> users = new ConcurrentHashMap<>();

    /** @param verifier verifies client certificate chains */
    public ClientCertificateAuthenticator(CertificateVerifier verifier) {
        this.verifier = verifier;
    }

    @Override
    public Authentication authenticate(Credentials credentials) {
        List<X509Certificate> chain = credentials.certificates();
        if (chain.isEmpty()) {
            return Absent.ABSENT;
        }
        return switch (verifier.verify(chain)) {
            case Verification.Verified verified -> proven(verified.leaf());
            case Verification.Refused refused -> new Refused("client certificate: " + refused.message());
        };
    }

    private Authentication proven(X509Certificate certificate) {
        UserInfo known = users.get(certificate);
        if (known == null) {
            known = user(certificate);
            if (users.size() >= MAX_REMEMBERED) {
                users.clear();
            }
            users.put(certificate, known);
        }
        return known.name().isEmpty()
                ? new Refused("client certificate: the subject has no common name")
                : new Authenticated(known);
    }

    private static UserInfo user(X509Certificate certificate) {
        CertificateNames names = CertificateNames.of(certificate);
        return new UserInfo(
                names.commonName(),
                "",
                names.organizations(),
                Map.of(UserInfo.CREDENTIAL_ID, List.of("X509SHA256=" + CertificateNames.fingerprint(certificate))));
    }
}
