package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.cli.server.DrainingSocket;
import io.plat.cli.server.ServerChoice;
import io.plat.review.clientconfig.BearerToken;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import io.plat.tls.pem.PemSource;
import io.plat.tls.pem.PemText;
import io.plat.tls.x509.TlsIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A server that is tested over plain sockets, as no client library would send a drill's requests.
 *
 * @param connection address, trusted CAs and credentials
 * @param token the bearer token, or null
 * @param patience read timeout
 * @param clock the time against which its certificate is checked
 */
record DrillTarget(ServerConnection connection, @Nullable String token, Duration patience, InstantSource clock) {
    private static final int CONNECT_MILLIS = 5_000;
    private static final int HTTPS = 443;

    static DrillTarget of(ServerChoice choice, Duration patience) {
        try {
            BearerToken token = choice.connection().token();
            return new DrillTarget(
                    choice.connection(),
                    token == null ? null : token.read(),
                    patience,
                    choice.surroundings().clock());
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
    }

    URI url() {
        return connection.server();
    }

    /** The path of its URL without a slash at its end. */
    String path() {
        String path = url().getRawPath() == null ? "" : url().getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** A connection as the client that was named. */
    Socket connect() throws IOException {
        return connect(connection.tls());
    }

    Socket connectNameless() throws IOException {
        ClientTls.Config own = connection.tls();
        return connect(new ClientTls.Config(own.authorities(), null, null, own.serverName()));
    }

    Socket connectAs(TlsIdentity other) throws IOException {
        ClientTls.Config own = connection.tls();
        PemSource certificate = inline(PemText.certificates(other.chain()));
        PemSource key = inline(PemText.privateKey(other.key()));
        return connect(new ClientTls.Config(own.authorities(), certificate, key, own.serverName()));
    }

    private static PemSource inline(String text) {
        return PemSource.inline("drill", text.getBytes(StandardCharsets.US_ASCII));
    }

    Socket connectPlain() throws IOException {
        Socket socket = new DrainingSocket();
        try {
            int port = url().getPort() < 0 ? HTTPS : url().getPort();
            socket.connect(new InetSocketAddress(host(), port), CONNECT_MILLIS);
            socket.setSoTimeout((int) patience.toMillis());
            socket.setTcpNoDelay(true);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private Socket connect(ClientTls.Config config) throws IOException {
        Socket plain = connectPlain();
        try {
            if (!(ClientTls.read(config, clock)
                            .context()
                            .getSocketFactory()
                            .createSocket(plain, host(), plain.getPort(), true)
                    instanceof SSLSocket socket)) {
                throw new IOException("no TLS socket");
            }
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (PemException e) {
            plain.close();
            throw CommandException.of(e);
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }

    String host() {
        String host = url().getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    String authority() {
        return url().getRawAuthority();
    }
}
