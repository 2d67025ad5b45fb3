package io.plat.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * TLS connections that take turns. A connection whose client asks again at once would be read again at once, on the thread that it
 * shares with others, which meanwhile wait: with 32 busy connections on two threads for tens of milliseconds. Here a connection that
 * has been answered is not read until it has asked to be told of data, behind all those that are ready. It also saves the reads that
 * would find nothing.
 */
final class FairTls extends SslConnectionFactory {
    FairTls(SslContextFactory.Server handshakes, String next) {
        super(handshakes, next);
    }

    @Override
    protected SslConnection newSslConnection(Connector connector, EndPoint endPoint, SSLEngine engine) {
        return new TurnTaking(this, connector, endPoint, engine);
    }

    private static final class TurnTaking extends SslConnection {
        TurnTaking(FairTls factory, Connector connector, EndPoint endPoint, SSLEngine engine) {
            super(
                    connector.getByteBufferPool(),
                    connector.getExecutor(),
                    factory.getSslContextFactory(),
                    endPoint,
                    engine,
                    factory.isDirectBuffersForEncryption(),
                    factory.isDirectBuffersForDecryption());
        }

        @Override
        protected SslEndPoint newSslEndPoint() {
            return new Turns();
        }

        /** The side that HTTP reads from and writes to. */
        private final class Turns extends SslEndPoint {
            private volatile boolean answered;

            @Override
            public int fill(ByteBuffer buffer) throws IOException {
                return answered ? 0 : super.fill(buffer);
            }

            @Override
            public boolean flush(ByteBuffer... buffers) throws IOException {
                // A handshake flushes nothing, and is no answer.
                boolean something = hasContent(buffers);
                boolean all = super.flush(buffers);
                if (something) {
                    answered = true;
                }
                return all;
            }

            private static boolean hasContent(ByteBuffer... buffers) {
                for (ByteBuffer buffer : buffers) {
                    if (buffer.hasRemaining()) {
                        return true;
                    }
                }
                return false;
            }

            @Override
            protected void needsFillInterest() {
                answered = false;
                super.needsFillInterest();
            }
        }
    }
}
