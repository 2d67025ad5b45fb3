package io.plat.decider;

import io.plat.http.PeerCertificates;
import io.plat.review.UserInfo;
import io.plat.tls.x509.CertificateNames;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Request;

/**
 * Identity of a client from its certificate.
 *
 * @param user the common name as the user, the organisations as groups; the handshake has accepted the certificate, so that
 *     {@code system:authenticated} is one of them
 * @param names the names by which flags refer to the client: {@link CertificateNames#clientNames}
 */
record ClientIdentity(UserInfo user, Set<String> names) {
    private static final String ATTRIBUTE = ClientIdentity.class.getName();

    ClientIdentity {
        Objects.requireNonNull(user);
        names = Set.copyOf(names);
    }

    /** The identity of the client that sent a request; worked out once per connection. */
    static ClientIdentity of(Request request) {
        return PeerCertificates.derived(request, ATTRIBUTE, ClientIdentity.class, ClientIdentity::of);
    }

    /** Returns the client's name for logs: its common name, or if it has none the first of its other names. */
    String name() {
        return user.name().isEmpty() ? names.stream().sorted().findFirst().orElse("") : user.name();
    }

    static ClientIdentity of(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            throw new IllegalStateException("the handshake let in a client without a certificate");
        }
        CertificateNames certificate = CertificateNames.of(chain.getFirst());
        List<String> groups = new ArrayList<>(certificate.organisations());
        groups.add(UserInfo.AUTHENTICATED);
        return new ClientIdentity(
                new UserInfo(certificate.commonName(), groups),
                certificate.clientNames().collect(Collectors.toSet()));
    }
}
