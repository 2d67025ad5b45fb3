package io.plat.cli.drill;

import io.plat.cli.process.CommandException;
import io.plat.cli.server.DrainingSocket;
import io.plat.cli.server.HttpsConnection;
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
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A server that is tested over plain sockets, as no client library would send a drill's requests.
 *
 * @param connection address, trusted CAs and credentials
 * @param token the bearer token, or null
 * @param timeout read timeout
 * @param clock the time against which its certificate is checked
 */
record DrillTarget(ServerConnection connection, @Nullable String token, Duration timeout, InstantSource clock) {
    private static final int CONNECT_MILLIS = 5_000;

    static DrillTarget of(ServerChoice choice, Duration timeout) {
        try {
            BearerToken token = choice.connection().token();
            return new DrillTarget(
                    choice.connection(),
                    token == null ? null : token.read(),
                    timeout,
                    choice.environment().clock());
        } catch (ProblemsException e) {
            throw CommandException.of(e);
        }
    }

    URI url() {
        return connection.server();
    }

    /** Returns the path of its URL without a trailing slash. */
    String path() {
        String path = url().getRawPath() == null ? "" : url().getRawPath();
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** Connects as the configured client. */
    Socket connect() throws IOException {
        return connect(connection.tls());
    }

    Socket connectAnonymously() throws IOException {
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
            socket.connect(HttpsConnection.address(url()), CONNECT_MILLIS);
            socket.setSoTimeout((int) timeout.toMillis());
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
                            .createSocket(plain, HttpsConnection.host(url()), plain.getPort(), true)
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

    /**
     * Returns the head of a request with the token, if there is one.
     *
     * @param fields additional header fields, each with a line end
     */
    String head(String method, String path, String fields) {
        String credential =
                token == null || fields.contains("Authorization") ? "" : "Authorization: Bearer " + token + "\r\n";
        return method + " " + path() + path + " HTTP/1.1\r\nHost: " + url().getRawAuthority()
                + "\r\nConnection: close\r\n" + credential + fields + "\r\n";
    }

    /**
     * Sends a request and closes the connection; a server may respond before it has read everything.
     *
     * @param body a character for each byte
     */
    static RawResponse send(Socket socket, String head, String body) throws IOException {
        try (socket) {
            OutputStream out = socket.getOutputStream();
            out.write(head.getBytes(StandardCharsets.ISO_8859_1));
            out.write(body.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
            return RawResponse.of(HttpText.read(socket.getInputStream()));
        }
    }

    /**
     * Response on a plain connection, possibly incomplete.
     *
     * @param code the status code, 0 if it was not HTTP
     * @param text all of it
     */
    record RawResponse(int code, String text) {
        private static final Pattern STATUS = Pattern.compile("^HTTP/1\\.[01] ([0-9]{3})");
        private static final Pattern ALLOWED = Pattern.compile("\"allowed\"\\s*:\\s*true");

        static RawResponse of(String text) {
            Matcher status = STATUS.matcher(text);
            return new RawResponse(status.find() ? Integer.parseInt(status.group(1)) : 0, text);
        }

        boolean succeeded() {
            return code >= 200 && code < 300;
        }

        /** Returns whether it is a success that allows something. */
        boolean allows() {
            return succeeded() && ALLOWED.matcher(text).find();
        }

        /** Returns the first line, and for a success whether it allows something. */
        String summary() {
            return firstLine() + (succeeded() ? allows() ? ", allowed" : ", not allowed" : "");
        }

        String firstLine() {
            if (code == 0) {
                return text.isEmpty() ? "no answer" : "no HTTP";
            }
            return text.lines().findFirst().orElse("");
        }
    }
}
