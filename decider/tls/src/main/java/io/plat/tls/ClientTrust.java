package io.plat.tls;

import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/** A server's judgement of its clients during the handshake. It trusts no server. */
final class ClientTrust extends X509ExtendedTrustManager {
    private final ClientCertificates policy;
    private final TrustBundle bundle;
    private final CertificateVerifier verifier;

    ClientTrust(ClientCertificates policy, TrustBundle bundle, CertificateVerifier verifier) {
        this.policy = policy;
        this.bundle = bundle;
        this.verifier = verifier;
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        switch (policy) {
            case REQUIRED -> Refusal.throwUnlessVerified(verifier.verify(List.of(chain)));
            case REQUESTED -> {
                // The application judges; that the client holds the key is still proved by the handshake.
            }
        }
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

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return switch (policy) {
            case REQUIRED -> bundle.certificates().toArray(X509Certificate[]::new);
            case REQUESTED -> new X509Certificate[0];
        };
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        throw new CertificateException("this context is a server's");
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        checkServerTrusted(chain, authType);
    }
}
