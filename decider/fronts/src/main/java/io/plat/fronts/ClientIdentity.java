package io.plat.fronts;

import io.plat.engine.lookup.Frozen;
import io.plat.http.RequestClient.PeerCertificates;
import io.plat.http.StatusResponses;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusReason;
import io.plat.tls.x509.CertificateNames;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a client from its certificate.
 *
 * @param user the common name as the user, the organizations as groups; including {@code system:authenticated}, as the handshake has verified the
 * certificate
 * @param names the names by which flags refer to the client: {@link CertificateNames#clientNames}
 */
public record ClientIdentity(UserInfo user, Set<String> names) {
    private static final String ATTRIBUTE = ClientIdentity.class.getName();

    public ClientIdentity {
        names = Frozen.copyOf(names);
    }

    /** Returns the identity of a request's client, computed once per connection. */
    public static ClientIdentity of(Request request) {
        return PeerCertificates.derived(request, ATTRIBUTE, ClientIdentity.class, ClientIdentity::of);
    }

    /** Returns the client's name for logs: its common name, else the first of its other names. */
    public String name() {
        return user.name().isEmpty() ? names.stream().sorted().findFirst().orElse("") : user.name();
    }

    /** Returns the identity of a verified certificate chain. */
    public static ClientIdentity of(List<X509Certificate> chain) {
        if (chain.isEmpty()) {
            throw new IllegalStateException("the handshake accepted a client without a certificate");
        }
        CertificateNames certificate = CertificateNames.of(chain.getFirst());
        return new ClientIdentity(
                new UserInfo(certificate.commonName(), certificate.organizations()).authenticated(),
                certificate.clientNames().collect(Collectors.toSet()));
    }

    /**
     * Policy for reasons and explanations in responses.
     *
     * @param reasons whether all clients receive the reasons of decisions
     * @param names common names, DNS names, and e-mail and URI names with their prefix, of clients that may request explanations, and always receive
     * reasons
     */
    public record ReasonPolicy(boolean reasons, Set<String> names) {
        public ReasonPolicy {
            names = Frozen.copyOf(names);
        }

        /** Returns whether the responses to a client's reviews have reasons. */
        public boolean includesReasons(Request request) {
            return reasons || isNamed(ClientIdentity.of(request));
        }

        /** Returns whether a client may use the explaining types. If reasons are hidden, only named clients may. */
        boolean mayExplain(ClientIdentity client) {
            return isNamed(client) || (reasons && names.isEmpty());
        }

        /** Returns the reason why a client may not receive explanations, or null. */
        public @Nullable Status refusal(Request request) {
            ClientIdentity client = ClientIdentity.of(request);
            return mayExplain(client)
                    ? null
                    : Status.of(
                            StatusReason.FORBIDDEN,
                            "client " + Quoted.of(client.name()) + " may not request explanations from this decider");
        }

        private boolean isNamed(ClientIdentity client) {
            return client.names().stream().anyMatch(names::contains);
        }
    }

    /** Handler that rejects clients without permission to use the decider. */
    public static final class Admission extends Handler.Wrapper {
        private final Set<String> allowed;

        /**
         * Admits clients.
         *
         * @param allowed common names, DNS names, and e-mail and URI names with their prefix; empty admits every client that the handshake accepts
         */
        public Admission(Set<String> allowed) {
            this.allowed = allowed;
        }

        /** Returns the reason for rejecting the client of a request, or null. */
        public @Nullable Status refusal(Request request) {
            ClientIdentity client = ClientIdentity.of(request);
            if (allowed.isEmpty() || client.names().stream().anyMatch(allowed::contains)) {
                return null;
            }
            String name = Quoted.of(client.user().name());
            return Status.of(StatusReason.FORBIDDEN, "client " + name + " is not allowed to use this decider");
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            @Nullable Status refusal = refusal(request);
            if (refusal == null) {
                return super.handle(request, response, callback);
            }
            StatusResponses.answer(request, response, callback, refusal);
            return true;
        }
    }
}
