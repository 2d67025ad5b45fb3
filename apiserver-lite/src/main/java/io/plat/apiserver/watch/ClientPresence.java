package io.plat.apiserver.watch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that the client of an answer that lasts has gone. The server reads nothing while it answers, so that it would not see
 * the end of the connection before it writes to it, which a quiet watch may not do for hours.
 *
 * <p>What a client sends meanwhile belongs to its next request: it is given back to the connection, and from then on nothing more
 * is read.
 */
public final class ClientPresence {
    private static final int ROOM = 512;

    private final Connection connection;
    private final EndPoint endPoint;
    private final Consumer<Throwable> onGone;
    private boolean over;

    /**
     * Of one answer.
     *
     * @param onGone called at most once; must return at once
     */
    public ClientPresence(Connection connection, Consumer<Throwable> onGone) {
        this.connection = connection;
        this.endPoint = connection.getEndPoint();
        this.onGone = onGone;
    }

    /** Begins to look. */
    public synchronized void begin() {
        lookAgain();
    }

    private void lookAgain() {
        endPoint.fillInterested(new Callback() {
            @Override
            public void succeeded() {
                readable();
            }

            @Override
            public void failed(Throwable cause) {
                broken(cause);
            }

            @Override
            public InvocationType getInvocationType() {
                return InvocationType.NON_BLOCKING;
            }
        });
    }

    private void readable() {
        try {
            if (!present()) {
                onGone.accept(new EofException("the client has gone"));
            }
        } catch (IOException e) {
            onGone.accept(e);
        }
    }

    private synchronized boolean present() throws IOException {
        if (over) {
            return true;
        }
        ByteBuffer received = BufferUtil.allocate(ROOM);
        int count = endPoint.fill(received);
        if (count == 0) {
            lookAgain();
        } else if (count > 0) {
            over = true;
            ((Connection.UpgradeTo) connection).onUpgradeTo(received);
        }
        return count >= 0;
    }

    private void broken(Throwable cause) {
        boolean expected;
        synchronized (this) {
            expected = over;
        }
        if (!expected) {
            onGone.accept(cause);
        }
    }

    /** Looks no longer: the connection may read again. */
    public synchronized void end() {
        over = true;
        // The connection takes a read that is still wanted for a failure of whoever answers.
        if (endPoint instanceof AbstractEndPoint reading) {
            reading.getFillInterest().onFail(new EofException("the answer is complete"));
        }
    }
}
