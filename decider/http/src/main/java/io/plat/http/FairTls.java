package io.plat.http;

import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
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
 * TLS connections that take turns. Otherwise, a connection whose client immediately sends another request would be read again at once, on a
 * thread that it shares with others, which would wait: with 32 busy connections on two threads for tens of milliseconds. Here an answered
 * connection is not read again until it has registered for reading, behind all ready ones. That also saves reads without data.
 */
final class FairTls extends SslConnectionFactory {
    private @Nullable ConnectionTrust trust;

    FairTls(SslContextFactory.Server handshakes, String next) {
        super(handshakes, next);
    }

    /** Has the clients of connections that are accepted from now on judged. */
    void judgeBy(ConnectionTrust peers) {
        trust = peers;
    }

    @Override
    protected SslConnection newSslConnection(Connector connector, EndPoint endPoint, SSLEngine engine) {
        return new TurnTaking(this, connector, endPoint, engine);
    }

    private static final class TurnTaking extends SslConnection implements ConnectionTrust.Connection {
        private volatile ConnectionTrust.@Nullable Judgement judgement;

        TurnTaking(FairTls factory, Connector connector, EndPoint endPoint, SSLEngine engine) {
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
                        trust.shaken(TurnTaking.this, event.getSSLEngine());
                    }
                });
            }
        }

        @Override
        public ConnectionTrust.@Nullable Judgement judgement() {
            return judgement;
        }

        @Override
        public void judged(ConnectionTrust.@Nullable Judgement present) {
            judgement = present;
        }

        @Override
        protected SslEndPoint newSslEndPoint() {
            return new Turns();
        }

        /** The side that HTTP reads from and writes to. */
        private final class Turns extends SslEndPoint implements ReadingThread.Connection {
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
            public void fillInterested(Callback callback) {
                super.fillInterested(
                        switch (callback.getInvocationType()) {
                            case EITHER -> onThisThread(callback);
                            case NON_BLOCKING -> waits ? new Alone(callback) : callback;
                            case BLOCKING -> callback;
                        });
            }

            @Override
            public boolean mayWait() {
                return Thread.currentThread().equals(alone);
            }

            @Override
            public void expectWait(boolean wait) {
                if (waits != wait) {
                    waits = wait;
                }
            }

            /** Has the selector handed over before the connection is read. Its invocation type is constant, as Jetty reads it once. */
            private final class Alone implements Callback {
                private final Callback callback;

                Alone(Callback callback) {
                    this.callback = callback;
                }

                @Override
                public void succeeded() {
                    alone = Thread.currentThread();
                    try {
                        callback.succeeded();
                    } finally {
                        alone = null;
                    }
                }

                @Override
                public void failed(Throwable cause) {
                    callback.failed(cause);
                }

                @Override
                public InvocationType getInvocationType() {
                    return InvocationType.BLOCKING;
                }
            }

            /** A connection waits with the same callback each time, one read at a time. */
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
     * Marks a possibly blocking callback, which HTTP/2 has, as non-blocking. Jetty would otherwise hand the selector over to another thread,
     * woken for each read; no handler here blocks before it has moved to a thread of its own.
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
