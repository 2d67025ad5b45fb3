package io.plat.engine.rbac.follow;

import io.plat.process.Tasks;
import io.plat.review.source.Quoted;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** An invalid or missing response of the server. The message is one line for the operator, without secrets. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int MAX_LENGTH = 300;

    private final Kind kind;
    private final transient Duration notBefore;

    /** Kind of failure, which determines the next request. */
    enum Kind {
        /** No complete response: the request may be retried. */
        UNREACHABLE,
        /** The server refused the request. */
        REFUSED,
        /** The requested version is no longer available (specification, "Errors"). */
        GONE,
        /** The response is too long: a smaller one may be requested. */
        TOO_LONG,
        /** A malformed response: the missed changes are unknown. */
        MALFORMED
    }

    SourceException(Kind kind, String message) {
        this(kind, message, Duration.ZERO);
    }

    /**
     * Creates a failure.
     *
     * @param notBefore minimum delay that the server requested
     */
    SourceException(Kind kind, String message, Duration notBefore) {
        super(message, null, false, false);
        this.kind = kind;
        this.notBefore = notBefore;
    }

    Kind kind() {
        return kind;
    }

    Duration notBefore() {
        return notBefore;
    }

    /** Returns the failure of a transport exception. */
    static SourceException of(IOException failure) {
        String what = switch (failure) {
            case UnknownHostException ignored -> "unknown host";
            case ConnectException ignored -> "cannot connect";
            case SocketTimeoutException ignored -> "timed out";
            case SSLException tls -> "TLS: " + line(Tasks.innermostMessage(tls));
            default -> line(Tasks.innermostMessage(failure));
        };
        return new SourceException(Kind.UNREACHABLE, what);
    }

    /** Returns a text of another server on one line of limited length. */
    static String line(String text) {
        return Quoted.oneLine(text, MAX_LENGTH);
    }
}
