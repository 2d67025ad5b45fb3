package io.plat.tls;

import java.security.SecureRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context that remains the same object while its material changes.
 *
 * <p>Every connection is created by the current context. A context is never changed but replaced, together with its session caches and, which
 * nothing else would discard, the keys of clients' session tickets.
 */
final class ReloadingContext extends SSLContext {
    private ReloadingContext(Spi spi, SSLContext first) {
        super(spi, first.getProvider(), first.getProtocol());
    }

    /**
     * Returns a context that delegates.
     *
     * @param current supplies the context of a new connection
     * @param settings applied to every connection before its user's settings
     */
    static SSLContext of(Supplier<SSLContext> current, Consumer<SSLParameters> settings) {
        return new ReloadingContext(new Spi(current, settings), current.get());
    }

    private static final class Spi extends SSLContextSpi {
        private final Supplier<SSLContext> current;
        private final Consumer<SSLParameters> settings;
        private final SSLSocketFactory sockets;

        Spi(Supplier<SSLContext> current, Consumer<SSLParameters> settings) {
            this.current = current;
            this.settings = settings;
            // Always the same one: the JDK's HTTP client reuses connections of one factory only.
            this.sockets = new ReloadingSocketFactory(() -> current.get().getSocketFactory(), settings);
        }

        @Override
        protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
            throw new IllegalStateException("this context is made of files and can't be given other material");
        }

        @Override
        protected SSLSocketFactory engineGetSocketFactory() {
            return sockets;
        }

        @Override
        protected SSLServerSocketFactory engineGetServerSocketFactory() {
            // A server socket would use its initial material for as long as it lives.
            throw new UnsupportedOperationException("layer sockets over accepted ones, or use engines");
        }

        @Override
        protected SSLEngine engineCreateSSLEngine() {
            return set(current.get().createSSLEngine());
        }

        @Override
        protected SSLEngine engineCreateSSLEngine(String host, int port) {
            return set(current.get().createSSLEngine(host, port));
        }

        private SSLEngine set(SSLEngine engine) {
            SSLParameters parameters = engine.getSSLParameters();
            settings.accept(parameters);
            engine.setSSLParameters(parameters);
            return engine;
        }

        @Override
        protected SSLSessionContext engineGetServerSessionContext() {
            return current.get().getServerSessionContext();
        }

        @Override
        protected SSLSessionContext engineGetClientSessionContext() {
            return current.get().getClientSessionContext();
        }

        @Override
        protected SSLParameters engineGetDefaultSSLParameters() {
            SSLParameters parameters = current.get().getDefaultSSLParameters();
            settings.accept(parameters);
            return parameters;
        }

        @Override
        protected SSLParameters engineGetSupportedSSLParameters() {
            return TlsRules.apply(current.get().getSupportedSSLParameters());
        }
    }
}
