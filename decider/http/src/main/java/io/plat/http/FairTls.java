package io.plat.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.eclipse.jetty.util.thread.Invocable;
import org.eclipse.jetty.util.thread.Invocable.InvocationType;
import org.jspecify.annotations.Nullable;

/**
 * Factory of TLS connections that take turns. Otherwise, a connection whose client immediately sends another request would be read again at once, on
 * a thread that other connections share and wait for: tens of milliseconds with 32 busy connections on two threads. Here, a connection is read again
 * after a response only once it has registered for reading, after all ready ones. This also avoids reads without data.
 */
final class FairTls extends SslConnectionFactory {
    private @Nullable ConnectionTrust trust;

    FairTls(SslContextFactory.Server handshakes, String next) {
        super(handshakes, next);
    }

    /** Enables verification of the clients of new connections. */
    void verifyWith(ConnectionTrust peers) {
        trust = peers;
    }

    @Override
    protected SslConnection newSslConnection(Connector connector, EndPoint endPoint, SSLEngine engine) {
        return new TurnTakingConnection(this, connector, endPoint, engine);
    }

    static final class TurnTakingConnection extends SslConnection {
        /** The verified chain of the client; null before the handshake, and without a certificate. */
        volatile ConnectionTrust.@Nullable VerifiedChain verifiedChain;

        TurnTakingConnection(FairTls factory, Connector connector, EndPoint endPoint, SSLEngine engine) {
            super(
                    connector.getByteBufferPool(),
                    connector.getExecutor(),
                    factory.getSslContextFactory(),
                    endPoint,
                    engine,
                    factory.isDirectBuffersForEncryption(),
                    factory.isDirectBuffersForDecryption());
            @Nullable ConnectionTrust trust = factory.trust;
            if (trust != null) {
                addHandshakeListener(new SslHandshakeListener() {
                    @Override
                    public void handshakeSucceeded(Event event) throws SSLException {
                        trust.handshakeCompleted(TurnTakingConnection.this, event.getSSLEngine());
                    }
                });
            }
        }

        @Override
        protected SSLEngineResult unwrap(SSLEngine engine, ByteBuffer input, ByteBuffer output) throws SSLException {
            try {
                return super.unwrap(engine, input, output);
            } catch (SSLException e) {
                if (PlaintextHttp.begins(input, engine)) {
                    PlaintextHttp.refuse(getEndPoint());
                }
                throw e;
            }
        }

        @Override
        protected SslEndPoint newSslEndPoint() {
            return new TurnTakingEndPoint();
        }

        /** The decrypted side of a connection, used by HTTP. */
        final class TurnTakingEndPoint extends SslEndPoint {
            private volatile boolean answered;
            private volatile boolean waits;
            private volatile @Nullable Thread alone;
            private @Nullable OnThisThread last;

            @Override
            public int fill(ByteBuffer buffer) throws IOException {
                return answered ? 0 : super.fill(buffer);
            }

            @Override
            public boolean flush(ByteBuffer... buffers) throws IOException {
                // A handshake flushes no data, and is not a response.
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
            public void fillInterested(Callback callback) {
                super.fillInterested(
                        switch (callback.getInvocationType()) {
                            case EITHER -> onThisThread(callback);
                            case NON_BLOCKING -> waits ? new HandoverCallback(callback) : callback;
                            case BLOCKING -> callback;
                        });
            }

            /** Returns whether the calling thread reads only this connection. */
            boolean mayWait() {
                return Thread.currentThread().equals(alone);
            }

            /** Sets whether the next request is expected to block. */
            void expectWait(boolean wait) {
                if (waits != wait) {
                    waits = wait;
                }
            }

            /** Makes Jetty hand over the selector before the connection is read. Its invocation type is constant, as Jetty reads it once. */
            private final class HandoverCallback extends Callback.Nested {
                HandoverCallback(Callback callback) {
                    super(callback);
                }

                @Override
                public void succeeded() {
                    alone = Thread.currentThread();
                    try {
                        super.succeeded();
                    } finally {
                        alone = null;
                    }
                }

                @Override
                public InvocationType getInvocationType() {
                    return InvocationType.BLOCKING;
                }
            }

            /** Returns the wrapper of a callback, which is the same for each read of a connection. */
            private OnThisThread onThisThread(Callback callback) {
                @Nullable OnThisThread known = last;
                if (known == null || known.callback != callback) {
                    known = new OnThisThread(callback);
                    last = known;
                }
                return known;
            }

            @Override
            protected void needsFillInterest() {
                answered = false;
                super.needsFillInterest();
            }
        }
    }

    /**
     * Marks a possibly blocking callback, which HTTP/2 has, as non-blocking. Jetty would otherwise hand the selector over to another thread, woken
     * for each read; handlers here only block after moving to another thread.
     */
    private record OnThisThread(Callback callback) implements Callback {
        @Override
        public void succeeded() {
            Invocable.invokeNonBlocking(callback::succeeded);
        }

        @Override
        public void failed(Throwable cause) {
            callback.failed(cause);
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }
    }
}
