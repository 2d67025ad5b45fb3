package io.plat.tests.proxies;

import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** A client with a certificate that sends raw bytes. */
final class RawClient {
    private static final int TIMEOUT_MILLIS = 10_000;

    private final SSLContext tls;
    private final int port;

    RawClient(TestPki pki, @Nullable String name, int port) {
        this.tls = pki.tls(name);
        this.port = port;
    }

    /**
     * Sends the head of a request, in ISO 8859-1, over its own connection.
     *
     * @return the first head of the response; {@code ""} if the connection was closed without one
     */
    String send(String head) throws IOException {
        Socket plain = new Socket();
        plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, "localhost", port, true)) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setServerNames(List.of(new SNIHostName("localhost")));
            socket.setSSLParameters(parameters);
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return read(socket.getInputStream());
        }
    }

    private static String read(InputStream in) {
        var answer = new StringBuilder();
        try {
            byte[] buffer = new byte[8192];
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                answer.append(new String(buffer, 0, n, StandardCharsets.ISO_8859_1));
                if (answer.indexOf("\r\n\r\n") >= 0) {
                    break;
                }
            }
        } catch (IOException aborted) {
            // The data before that counts.
            return answer.toString();
        }
        return answer.toString();
    }

    /** Returns the status code of a response; 0 without one. */
    static int status(String answer) {
        return answer.matches("(?s)HTTP/1\\.[01] [0-9]{3}.*") ? Integer.parseInt(answer.substring(9, 12)) : 0;
    }
}
