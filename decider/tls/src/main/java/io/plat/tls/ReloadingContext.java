package io.plat.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

/**
 * A context that remains the same object while its material changes.
 *
 * <p>Every connection is created by the current context. A context is never changed but replaced, together with its session caches and session ticket
 * keys.
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
            throw new IllegalStateException(
                    "this context is loaded from files and cannot be initialized with other material");
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

    /** Socket factory that delegates to the current one. */
    private static final class ReloadingSocketFactory extends SSLSocketFactory {
        private final Supplier<SSLSocketFactory> current;
        private final Consumer<SSLParameters> settings;

        ReloadingSocketFactory(Supplier<SSLSocketFactory> current, Consumer<SSLParameters> settings) {
            this.current = current;
            this.settings = settings;
        }

        private Socket set(Socket socket) {
            SSLSocket secure = (SSLSocket) socket;
            SSLParameters parameters = secure.getSSLParameters();
            settings.accept(parameters);
            secure.setSSLParameters(parameters);
            return secure;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return acceptable(current.get().getDefaultCipherSuites());
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return acceptable(current.get().getSupportedCipherSuites());
        }

        private static String[] acceptable(String[] suites) {
            return Arrays.stream(suites).filter(TlsRules::acceptable).toArray(String[]::new);
        }

        @Override
        public Socket createSocket() throws IOException {
            return set(current.get().createSocket());
        }

        @Override
        public Socket createSocket(Socket socket, String host, int port, boolean autoClose) throws IOException {
            return set(current.get().createSocket(socket, host, port, autoClose));
        }

        /** Returns the server side of an accepted socket. */
        @Override
        public Socket createSocket(Socket socket, InputStream consumed, boolean autoClose) throws IOException {
            return set(current.get().createSocket(socket, consumed, autoClose));
        }

        @Override
        public Socket createSocket(String host, int port) throws IOException {
            return set(current.get().createSocket(host, port));
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress localHost, int localPort) throws IOException {
            return set(current.get().createSocket(host, port, localHost, localPort));
        }

        @Override
        public Socket createSocket(InetAddress host, int port) throws IOException {
            return set(current.get().createSocket(host, port));
        }

        @Override
        public Socket createSocket(InetAddress address, int port, InetAddress localAddress, int localPort)
                throws IOException {
            return set(current.get().createSocket(address, port, localAddress, localPort));
        }
    }
}
