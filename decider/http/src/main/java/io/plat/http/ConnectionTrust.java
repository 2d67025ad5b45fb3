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
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections that have outlived the trust in their client's certificate: the authority was taken from the bundle, or a certificate of the
 * chain expired. Requests and streams of the connection end with it. A handshake that resumes a session checks no certificate; it is checked here.
 *
 * <p>Where certificates are merely requested, a client whose certificate never was trusted stays connected, as the application answers it.
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

    /** A connection whose client's certificate is watched. */
    interface Connection {
        /** The last judgement; null before the handshake and where there is no certificate. */
        @Nullable
        Judgement judgement();

        /** Records a judgement. */
        void judged(@Nullable Judgement judgement);
    }

    /**
     * A chain that was trusted.
     *
     * @param bundle by which trust
     * @param until the last moment at which it is valid
     */
    record Judgement(List<X509Certificate> chain, TrustBundle bundle, Instant until) {}

    /**
     * Judges a client as soon as its handshake, full or resumed, is done.
     *
     * @throws SSLException where it has to be trusted and is not
     */
    void shaken(Connection connection, SSLEngine engine) throws SSLException {
        List<X509Certificate> chain = CertificateVerifier.presented(engine.getSession());
        @Nullable Judgement judgement = chain.isEmpty() ? null : judge(chain);
        if (judgement == null && required) {
            throw new SSLPeerUnverifiedException("the client's certificate is not trusted any more");
        }
        connection.judged(judgement);
    }

    private @Nullable Judgement judge(List<X509Certificate> chain) {
        TrustBundle bundle = verifier.trusted();
        return verifier.validUntil(chain)
                .map(until -> new Judgement(chain, bundle, until))
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
            if (endPoint.getConnection() instanceof SslConnection tls
                    && tls instanceof Connection connection
                    && !isTrusted(connection, bundle, now)) {
                endPoint.close();
                closed++;
            }
        }
        if (closed > 0) {
            LOG.info(
                    "connections closed, as the certificates of their clients are not trusted any more: count={}",
                    closed);
        }
        return INTERVAL;
    }

    private boolean isTrusted(Connection connection, TrustBundle bundle, Instant now) {
        @Nullable Judgement last = connection.judgement();
        if (last == null || (last.bundle() == bundle && !now.isAfter(last.until()))) {
            return true;
        }
        @Nullable Judgement present = judge(last.chain());
        if (present != null) {
            connection.judged(present);
        }
        return present != null;
    }
}
