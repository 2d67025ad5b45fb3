package io.plat.tls;

import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.ServerName;
import io.plat.tls.x509.Verification;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * A client's judgement of a server during the handshake: chain and name, always both, whatever the connection was configured to
 * identify. It trusts no client.
 */
final class ServerTrust extends X509ExtendedTrustManager {
    private final CertificateVerifier verifier;
    private final @Nullable String expectedName;

    /** A judgement by this verifier; the name replaces the host that is connected to. */
    ServerTrust(CertificateVerifier verifier, @Nullable String expectedName) {
        this.verifier = verifier;
        this.expectedName = expectedName;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        check(chain, socket instanceof SSLSocket secure ? secure.getHandshakeSession() : null);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        check(chain, engine.getHandshakeSession());
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        check(chain, null);
    }

    private void check(X509Certificate[] chain, @Nullable SSLSession session) throws CertificateException {
        Refusal.throwUnlessVerified(verifier.verify(List.of(chain)));
        String host = expectedName != null ? expectedName : session == null ? null : session.getPeerHost();
        if (host == null || host.isEmpty()) {
            throw new CertificateException("the connection does not say which server is meant");
        }
        Optional<Verification.Refused> mismatch = ServerName.mismatch(chain[0], host);
        if (mismatch.isPresent()) {
            throw Refusal.of(mismatch.get());
        }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return new X509Certificate[0];
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this context is a client's");
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkClientTrusted(chain, authType);
    }
}
