package io.plat.tls;

import io.plat.tls.x509.CertificateUsage;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.CertificateVerifier.Verification.Refused;
import io.plat.tls.x509.ServerName;
import io.plat.tls.x509.TrustBundle;
import java.net.Socket;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Verifies the peer during the handshake. A server accepts only client certificates, and a client only server certificates. */
final class PeerTrust extends X509ExtendedTrustManager {
    private final CertificateUsage peer;
    private final List<X509Certificate> suggested;
    private final ChainCheck chainCheck;

    /** Verifies a chain; the session is null if the connection is unknown. */
    @FunctionalInterface
    private interface ChainCheck {
        void check(X509Certificate[] chain, @Nullable SSLSession session) throws CertificateException;
    }

    private PeerTrust(CertificateUsage peer, List<X509Certificate> suggested, ChainCheck chainCheck) {
        this.peer = peer;
        this.suggested = suggested;
        this.chainCheck = chainCheck;
    }

    /** Returns the trust manager of a server. */
    static PeerTrust ofClients(ClientCertificates policy, TrustBundle bundle, CertificateVerifier verifier) {
        return switch (policy) {
            case REQUIRED ->
                new PeerTrust(CertificateUsage.CLIENT, bundle.certificates(), (chain, _) -> verify(verifier, chain));
            // The application verifies the chain; the handshake proves that the client has the key.
            case REQUESTED -> new PeerTrust(CertificateUsage.CLIENT, List.of(), (_, _) -> {});
        };
    }

    /**
     * Returns the trust manager of a client, which always verifies both chain and name, regardless of the connection's settings.
     *
     * @param expectedName replaces the host that is connected to; null for that host
     */
    static PeerTrust ofServer(CertificateVerifier verifier, @Nullable String expectedName) {
        return new PeerTrust(CertificateUsage.SERVER, List.of(), (chain, session) -> {
            verify(verifier, chain);
            String host = expectedName != null ? expectedName : session == null ? null : session.getPeerHost();
            if (host == null || host.isEmpty()) {
                throw new CertificateException("the connection has no host name");
            }
            Optional<Refused> mismatch = ServerName.mismatch(chain[0], host);
            if (mismatch.isPresent()) {
                throw refusal(mismatch.get());
            }
        });
    }

    private static void verify(CertificateVerifier verifier, X509Certificate[] chain) throws CertificateException {
        if (verifier.verify(List.of(chain)) instanceof Refused refused) {
            throw refusal(refused);
        }
    }

    /** Returns the exception that makes JSSE send the matching alert. */
    private static CertificateException refusal(Refused refused) {
        return switch (refused.reason()) {
            case EXPIRED -> withAlert(refused, BasicReason.EXPIRED);
            case NOT_YET_VALID -> withAlert(refused, BasicReason.NOT_YET_VALID);
            case ABSENT, WRONG_USAGE, UNTRUSTED, WRONG_NAME -> new CertificateException(refused.message());
        };
    }

    private static CertificateException withAlert(Refused refused, BasicReason reason) {
        return new CertificateException(
                refused.message(), new CertPathValidatorException(refused.message(), null, null, -1, reason));
    }

    private void check(CertificateUsage presented, X509Certificate[] chain, @Nullable SSLSession session)
            throws CertificateException {
        if (presented != peer) {
            throw new CertificateException(
                    "this context is a " + (peer == CertificateUsage.CLIENT ? "server's" : "client's"));
        }
        chainCheck.check(chain, session);
    }

    private static @Nullable SSLSession session(Socket socket) {
        return socket instanceof SSLSocket secure ? secure.getHandshakeSession() : null;
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return suggested.toArray(X509Certificate[]::new);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(CertificateUsage.CLIENT, chain, null);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(CertificateUsage.CLIENT, chain, session(socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(CertificateUsage.CLIENT, chain, engine.getHandshakeSession());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(CertificateUsage.SERVER, chain, null);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(CertificateUsage.SERVER, chain, session(socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(CertificateUsage.SERVER, chain, engine.getHandshakeSession());
    }
}
