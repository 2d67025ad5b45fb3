package io.plat.tls;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Makes each socket with the factory that is current at that moment. */
final class ReloadingSocketFactory extends SSLSocketFactory {
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

    /** The server's side over an accepted socket. */
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
