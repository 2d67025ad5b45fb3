package io.plat.tests.load;

import io.plat.http.testing.RawHttp2;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLContext;

/** An HTTP/2 connection with one request at a time, for comparison with HTTP/1.1. */
final class Http2Exchange implements Exchange {
    private static final int STREAM_OF_FRAME = 5;

    private final RawHttp2 connection;
    private final byte[] request;
    private final int secondFrame;
    private int stream = 1;

    /** Connects; requests post JSON. */
    Http2Exchange(SSLContext tls, int port, String path, String body) throws IOException {
        this(
                tls,
                port,
                path,
                body.getBytes(StandardCharsets.US_ASCII),
                "content-type",
                "application/json",
                "accept",
                "application/json, */*",
                "content-length",
                Integer.toString(body.length()));
    }

    /** Connects; requests post a body with headers. */
    Http2Exchange(SSLContext tls, int port, String path, byte[] body, String... fields) throws IOException {
        connection = new RawHttp2(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), tls);
        byte[] head = RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 0, RawHttp2.request("POST", path, fields));
        secondFrame = head.length;
        ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(head);
        both.writeBytes(RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 0, body));
        request = both.toByteArray();
    }

    @Override
    public void once() throws IOException {
        ByteBuffer.wrap(request).putInt(STREAM_OF_FRAME, stream).putInt(secondFrame + STREAM_OF_FRAME, stream);
        connection.write(request);
        if (!connection.succeeds(stream)) {
            throw new IOException("a request failed");
        }
        stream += 2;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
