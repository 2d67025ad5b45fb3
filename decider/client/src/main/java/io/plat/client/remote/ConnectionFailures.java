package io.plat.client.remote;

import io.plat.client.remote.Reply.Kind;
import java.io.EOFException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Classification of client exceptions: connection failures, which another connection may avoid, and permanent ones. */
final class ConnectionFailures {
    private ConnectionFailures() {}

    /**
     * Returns the failure for an exception of the client.
     *
     * @param begun whether a response had started: the request is then not retried
     */
    static <T> Reply.Failure<T> reply(Throwable failure, boolean begun) {
        if (failure instanceof HttpConnection.ConnectTimeoutException) {
            return new Reply.Failure<>(Kind.TIMED_OUT, "cannot connect in time");
        }
        if (failure instanceof SocketTimeoutException) {
            return new Reply.Failure<>(Kind.TIMED_OUT, "no answer in time");
        }
        if (begun) {
            return new Reply.Failure<>(Kind.FAILED, "the answer cannot be read: " + describe(failure));
        }
        SSLException tls = find(failure, SSLException.class);
        if (tls != null && !wasCutOff(tls)) {
            return new Reply.Failure<>(Kind.UNUSABLE, "TLS: " + describe(tls));
        }
        return new Reply.Failure<>(Kind.DOWN, describe(failure));
    }

    /** Returns whether the decider ended during the handshake, without rejecting it. */
    private static boolean wasCutOff(SSLException tls) {
        return find(tls, EOFException.class) != null || find(tls, SocketException.class) != null;
    }

    private static String describe(Throwable failure) {
        if (find(failure, UnknownHostException.class) != null) {
            return "unknown host";
        }
        if (find(failure, ConnectException.class) != null) {
            return "cannot connect";
        }
        String message = failure.getMessage();
        return message == null ? "connection failed" : SanitizedText.of(message);
    }

    private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 10; depth++) {
            if (type.isInstance(cause)) {
                return type.cast(cause);
            }
            cause = cause.getCause();
        }
        return null;
    }
}
