package io.plat.tests.hostile;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.hpack.HpackDecoder;
import org.eclipse.jetty.http2.hpack.HpackException;

/**
 * Sends hostile requests to one server, each over its own connection, and reads until the server closes it. Each thread is a client of its own,
 * which resumes its session: concurrent connections cannot share one, and half of the handshakes would be full ones.
 */
final class Exchange {
    /** Maximum time of a response; in a default run, other tests occupy the processors meanwhile. */
    private static final Duration TIMEOUT = Duration.ofSeconds(Boolean.getBoolean("plat.full") ? 5 : 20);

    private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] ([0-9]{3})");
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] EMPTY_SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    private static final byte[] GOAWAY = {0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

    private static final int MAX_FIELDS = 64 * 1024;

    private final InetSocketAddress address;
    private final ThreadLocal<SSLContext> tls;

    Exchange(int port, Supplier<SSLContext> tls) {
        this.address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        this.tls = ThreadLocal.withInitial(tls);
    }

    /**
     * Sends a request and reads the entire response.
     *
     * @throws IOException if the handshake fails
     */
    Reply send(HostileRequest request) throws IOException {
        try (SSLSocket socket = connect(request.protocol())) {
            byte[] received = exchange(socket, request);
            return switch (request.protocol()) {
                case HTTP_1_1 -> http1(received);
                case HTTP_2 -> http2(received);
            };
        } catch (SocketTimeoutException e) {
            return new Reply(List.of(), "", true);
        }
    }

    private SSLSocket connect(HostileRequest.Protocol protocol) throws IOException {
        Socket plain = new Socket();
        plain.connect(address);
        plain.setTcpNoDelay(true);
        SSLSocket socket =
                (SSLSocket) tls.get().getSocketFactory().createSocket(plain, "localhost", address.getPort(), true);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(
                new String[] {protocol == HostileRequest.Protocol.HTTP_2 ? "h2" : "http/1.1"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    private static byte[] exchange(SSLSocket socket, HostileRequest request) throws IOException {
        var received = new ByteArrayOutputStream();
        try {
            if (request.protocol() == HostileRequest.Protocol.HTTP_2) {
                socket.getOutputStream().write(PREFACE);
                socket.getOutputStream().write(EMPTY_SETTINGS);
            }
            socket.getOutputStream().write(request.bytes());
            socket.getOutputStream().flush();
            if (request.protocol() == HostileRequest.Protocol.HTTP_2) {
                socket.getOutputStream().write(GOAWAY);
            }
            socket.shutdownOutput();
            socket.getInputStream().transferTo(received);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException closed) {
            // A server may close the connection during sending; its response before that counts.
            drain(socket, received);
        }
        return received.toByteArray();
    }

    private static void drain(SSLSocket socket, ByteArrayOutputStream received) throws SocketTimeoutException {
        try {
            socket.getInputStream().transferTo(received);
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException reset) {
            received.writeBytes(new byte[0]);
        }
    }

    private static Reply http1(byte[] received) {
        String text = new String(received, StandardCharsets.ISO_8859_1);
        List<Integer> statuses = STATUS_LINE
                .matcher(text)
                .results()
                .map(line -> Integer.parseInt(line.group(1)))
                .toList();
        return new Reply(statuses, text, false);
    }

    private static Reply http2(byte[] received) throws IOException {
        var statuses = new ArrayList<Integer>();
        var text = new StringBuilder();
        var block = new ByteArrayOutputStream();
        var decoder = new HpackDecoder(MAX_FIELDS, System::nanoTime);
        try (var in = new DataInputStream(new ByteArrayInputStream(received))) {
            while (true) {
                int lengthAndType = in.readInt();
                int flags = in.readUnsignedByte();
                in.readInt();
                byte[] payload = in.readNBytes(lengthAndType >>> 8);
                int type = lengthAndType & 0xff;
                if (type == 0) {
                    text.append(new String(payload, StandardCharsets.ISO_8859_1));
                } else if (type == 1 || type == 9) {
                    block.writeBytes(payload);
                    if ((flags & 4) != 0) {
                        MetaData head = decoder.decode(ByteBuffer.wrap(block.toByteArray()));
                        block.reset();
                        text.append(head.getHttpFields());
                        if (head instanceof MetaData.Response response) {
                            statuses.add(response.getStatus());
                        }
                    }
                }
            }
        } catch (EOFException end) {
            return new Reply(statuses, text.toString(), false);
        } catch (HpackException e) {
            throw new IOException("the server's header block cannot be decoded", e);
        }
    }
}
