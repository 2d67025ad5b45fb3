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
 * A TLS connection that one thread can read among a thousand others: a stream of the JDK wants a thread each, which costs more than
 * the server does for what it sends. Blocks until {@link #follow}; not for several threads at a time.
 */
final class TlsChannel implements AutoCloseable {
    private final SocketChannel socket;
    private final SSLEngine engine;
    private final ByteBuffer received;

    /** Connects, and shakes hands. */
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
                case NOT_HANDSHAKING, FINISHED -> throw new IllegalStateException("the loop ends with these");
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

    /** The channel to wait for; from now on a read returns at once. */
    SocketChannel follow() throws IOException {
        socket.configureBlocking(false);
        return socket;
    }

    /**
     * Reads into a buffer, at most what one record holds.
     *
     * @return the bytes read; 0 if there is nothing yet
     * @throws EOFException if the server has ended the connection
     */
    int read(ByteBuffer plain) throws IOException {
        while (true) {
            SSLEngineResult result = unwrap(plain);
            if (result.bytesProduced() > 0) {
                return result.bytesProduced();
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                throw new EOFException("the server has said goodbye");
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW && receive() == 0) {
                return 0;
            }
        }
    }

    /** Returns whether a part of the received data has not been read; it may be less than a record. */
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
