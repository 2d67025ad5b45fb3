package io.plat.http;

import io.plat.process.BackgroundLoop;
import io.plat.tls.ClientCertificates;
import io.plat.tls.ServerTls;
import io.plat.tls.x509.CertificateVerifier;
import io.plat.tls.x509.TrustBundle;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Supervision of connections, which closes those whose client certificate is no longer trusted, because the authority was removed from the bundle or
 * a certificate of the chain expired. Requests and streams of the connection end with it. Resumed sessions, whose handshake verifies no certificate,
 * are verified here.
 *
 * <p>If certificates are optional, a client whose certificate was never trusted stays connected, as the application rejects its requests.
 */
final class ConnectionTrust extends AbstractLifeCycle {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionTrust.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private final AbstractConnector connector;
    private final CertificateVerifier verifier;
    private final boolean required;
    private final InstantSource clock = InstantSource.system();
    private final BackgroundLoop loop = BackgroundLoop.platform("client-trust", this::closeUntrusted);

    ConnectionTrust(AbstractConnector connector, ServerTls tls) {
        this.connector = connector;
        this.verifier = tls.clientVerifier();
        this.required = tls.clients() == ClientCertificates.REQUIRED;
    }

    /**
     * A verified chain.
     *
     * @param bundle the bundle that verified it
     * @param until the last moment of its validity
     */
    record VerifiedChain(List<X509Certificate> chain, TrustBundle bundle, Instant until) {}

    /**
     * Verifies a client after its handshake, full or resumed.
     *
     * @throws SSLException if it is required to be trusted and is not
     */
    void handshakeCompleted(FairTls.TurnTakingConnection connection, SSLEngine engine) throws SSLException {
        List<X509Certificate> chain = CertificateVerifier.presented(engine.getSession());
        @Nullable VerifiedChain verifiedChain = chain.isEmpty() ? null : verify(chain);
        if (verifiedChain == null && required) {
            throw new SSLPeerUnverifiedException("the client's certificate is no longer trusted");
        }
        connection.verifiedChain = verifiedChain;
    }

    private @Nullable VerifiedChain verify(List<X509Certificate> chain) {
        TrustBundle bundle = verifier.trusted();
        return verifier.validUntil(chain)
                .map(until -> new VerifiedChain(chain, bundle, until))
                .orElse(null);
    }

    @Override
    protected void doStart() {
        loop.start();
    }

    @Override
    protected void doStop() {
        loop.finish();
    }

    private Duration closeUntrusted() {
        TrustBundle bundle = verifier.trusted();
        Instant now = clock.instant();
        int closed = 0;
        for (EndPoint endPoint : connector.getConnectedEndPoints()) {
            if (endPoint.getConnection() instanceof FairTls.TurnTakingConnection connection
                    && !isTrusted(connection, bundle, now)) {
                endPoint.close();
                closed++;
            }
        }
        if (closed > 0) {
            LOG.info("connections closed, as their client certificates are no longer trusted: count={}", closed);
        }
        return INTERVAL;
    }

    private boolean isTrusted(FairTls.TurnTakingConnection connection, TrustBundle bundle, Instant now) {
        @Nullable VerifiedChain last = connection.verifiedChain;
        if (last == null || (last.bundle() == bundle && !now.isAfter(last.until()))) {
            return true;
        }
        @Nullable VerifiedChain present = verify(last.chain());
        if (present != null) {
            connection.verifiedChain = present;
        }
        return present != null;
    }
}
