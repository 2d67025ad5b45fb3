package io.plat.tests.load;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;

/**
 * A TLS connection that one thread can read among a thousand others: the JDK's streams need a thread each, which costs more than the
 * server's work. Blocks until {@link #follow}; not thread-safe.
 */
final class TlsChannel implements AutoCloseable {
    private final SocketChannel socket;
    private final SSLEngine engine;
    private final ByteBuffer received;

    /** Connects, with the TLS handshake. */
    TlsChannel(SSLContext tls, int port) throws IOException {
        socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        engine = tls.createSSLEngine("localhost", port);
        engine.setUseClientMode(true);
        received = ByteBuffer.allocateDirect(engine.getSession().getPacketBufferSize());
        try {
            shakeHands();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void shakeHands() throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        ByteBuffer plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        engine.beginHandshake();
        HandshakeStatus status = engine.getHandshakeStatus();
        while (status != HandshakeStatus.NOT_HANDSHAKING && status != HandshakeStatus.FINISHED) {
            switch (status) {
                case NEED_WRAP -> send(nothing);
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    if (unwrap(plain).getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                        receive();
                    }
                }
                case NOT_HANDSHAKING, FINISHED ->
                    throw new IllegalStateException("unreachable, as the loop ends with these");
            }
            status = engine.getHandshakeStatus();
        }
    }

    /** Writes everything. */
    void send(ByteBuffer plain) throws IOException {
        ByteBuffer sealed = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        do {
            engine.wrap(plain, sealed.clear());
            sealed.flip();
            while (sealed.hasRemaining()) {
                socket.write(sealed);
            }
        } while (plain.hasRemaining());
    }

    /** Switches to non-blocking mode and returns the channel. */
    SocketChannel follow() throws IOException {
        socket.configureBlocking(false);
        return socket;
    }

    /**
     * Reads into a buffer, at most one record.
     *
     * @return number of bytes; 0 if there are none yet
     * @throws EOFException if the server has closed the connection
     */
    int read(ByteBuffer plain) throws IOException {
        while (true) {
            SSLEngineResult result = unwrap(plain);
            if (result.bytesProduced() > 0) {
                return result.bytesProduced();
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new EOFException("the server has closed the connection");
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && receive() == 0) {
                return 0;
            }
        }
    }

    /** Returns whether received data is unread; it may be less than a record. */
    boolean holdsMore() {
        return received.position() > 0;
    }

    private SSLEngineResult unwrap(ByteBuffer plain) throws IOException {
        received.flip();
        SSLEngineResult result = engine.unwrap(received, plain);
        received.compact();
        return result;
    }

    private int receive() throws IOException {
        int count = socket.read(received);
        if (count < 0) {
            throw new EOFException("the server has closed the connection");
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
