package io.plat.http.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** An HTTP/2 connection (RFC 9113) over which arbitrary frames can be sent. */
public final class RawHttp2 implements AutoCloseable {
    public static final int DATA = 0;
    public static final int HEADERS = 1;
    public static final int RST_STREAM = 3;
    public static final int SETTINGS = 4;
    public static final int PING = 6;
    public static final int GOAWAY = 7;
    public static final int WINDOW_UPDATE = 8;

    public static final int END_STREAM = 1;
    public static final int ACK = 1;
    public static final int END_HEADERS = 4;

    /** The first field of a response with status 200, from the static table (RFC 7541). */
    private static final byte STATUS_200 = (byte) 0x88;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int DEFAULT_WINDOW = 65_535;
    private static final int FRAME_HEAD = 9;

    private final SSLSocket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /** A received frame. */
    public static final class Frame {
        private final int type;
        private final int flags;
        private final int stream;
        private final byte[] payload;

        private Frame(int type, int flags, int stream, byte[] payload) {
            this.type = type;
            this.flags = flags;
            this.stream = stream;
            this.payload = payload;
        }

        public int type() {
            return type;
        }

        public int stream() {
            return stream;
        }

        public byte[] payload() {
            return payload.clone();
        }

        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        private boolean isAcknowledgement() {
            return (flags & ACK) != 0;
        }

        /** Returns whether it ends the response to a request. */
        public boolean ends() {
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        /** Returns the error code of RST_STREAM or GOAWAY. */
        public int errorCode() {
            return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? Integer.BYTES : 0);
        }
    }

    /** Connects and sends the preface, with maximum windows for responses. */
    public RawHttp2(InetSocketAddress address, SSLContext tls) throws IOException {
        this(address, tls, Integer.MAX_VALUE);
    }

    /**
     * Connects and sends the preface.
     *
     * @param window window of each response in bytes
     */
    public RawHttp2(InetSocketAddress address, SSLContext tls, int window) throws IOException {
        socket = (SSLSocket) tls.getSocketFactory().createSocket(address.getAddress(), address.getPort());
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        socket.setTcpNoDelay(true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {"h2"});
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        if (!"h2".equals(socket.getApplicationProtocol())) {
            throw new IOException("the server at " + address + " does not support HTTP/2");
        }
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 32 * 1024));
        out = socket.getOutputStream();
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(window)
                        .array());
        send(
                WINDOW_UPDATE,
                0,
                0,
                ByteBuffer.allocate(4)
                        .putInt(Integer.MAX_VALUE - DEFAULT_WINDOW)
                        .array());
    }

    /** Returns a block of uncompressed header fields with lower-case names. */
    public static byte[] fields(String... namesAndValues) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            block.write(0);
            string(block, namesAndValues[i]);
            string(block, namesAndValues[i + 1]);
        }
        return block.toByteArray();
    }

    private static void string(ByteArrayOutputStream block, String text) {
        if (text.length() > 126) {
            throw new IllegalArgumentException("too long for one frame: " + text);
        }
        block.write(text.length());
        block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the header block of a request. */
    public static byte[] request(String method, String path, String... more) {
        byte[] pseudo = fields(":method", method, ":scheme", "https", ":authority", "localhost", ":path", path);
        byte[] rest = fields(more);
        return ByteBuffer.allocate(pseudo.length + rest.length)
                .put(pseudo)
                .put(rest)
                .array();
    }

    /** Returns the bytes of a frame. */
    public static byte[] frame(int type, int flags, int stream, byte... payload) {
        return ByteBuffer.allocate(FRAME_HEAD + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }

    public void send(int type, int flags, int stream, byte... payload) throws IOException {
        write(frame(type, flags, stream, payload));
    }

    /** Sends raw bytes, such as several frames at once. */
    public void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** Reads the next frame of any type. */
    public Frame read() throws IOException {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = new byte[lengthAndType >>> 8];
        in.readFully(payload);
        return new Frame(lengthAndType & 0xff, flags, stream, payload);
    }

    /** Reads the next frame of a type; skips others, and acknowledges settings and pings. */
    public Frame read(int type) throws IOException {
        while (true) {
            Frame frame = read();
            acknowledge(frame);
            if (frame.type == type) {
                return frame;
            }
        }
    }

    /** Reads a response to its end, and returns whether its status is 200. */
    public boolean succeeds(int stream) throws IOException {
        boolean success = false;
        boolean started = false;
        while (true) {
            Frame frame = read();
            acknowledge(frame);
            if (frame.stream() == stream && frame.type == RST_STREAM) {
                return false;
            }
            if (frame.stream() == stream && frame.type == HEADERS && !started) {
                // The last one has the trailers.
                started = true;
                success = firstField(frame.payload) == STATUS_200;
            }
            if (frame.stream() == stream && frame.ends()) {
                return success;
            }
        }
    }

    /** Returns the first byte of a block of fields, after changes of the dynamic table's size. */
    private static byte firstField(byte[] block) {
        int at = 0;
        while ((block[at] & 0xe0) == 0x20) {
            boolean longer = (block[at] & 0x1f) == 0x1f;
            at++;
            while (longer) {
                longer = block[at++] < 0;
            }
        }
        return block[at];
    }

    private void acknowledge(Frame frame) throws IOException {
        if ((frame.type == SETTINGS || frame.type == PING) && !frame.isAcknowledgement()) {
            send(frame.type, ACK, 0, frame.type == PING ? frame.payload : new byte[0]);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
