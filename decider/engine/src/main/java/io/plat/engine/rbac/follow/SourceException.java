package io.plat.engine.rbac.follow;

import io.plat.review.source.Quoted;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLException;

/** A server did not answer what it was asked for. The message is one line for the operator, without secrets. */
final class SourceException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LONGEST = 300;

    private final Kind kind;
    private final transient Duration notBefore;

    /** What that means for what is asked next. */
    enum Kind {
        /** No answer, or only a part of one: the same may be asked again. */
        UNREACHABLE,
        /** An answer that refuses. */
        REFUSED,
        /** The version that was asked for is no longer kept (specification, "Errors"). */
        GONE,
        /** An answer that is none: what was missed can't be told. */
        MALFORMED
    }

    SourceException(Kind kind, String message) {
        this(kind, message, Duration.ZERO);
    }

    /**
     * A failure.
     *
     * @param notBefore how long the server asks to be left alone
     */
    SourceException(Kind kind, String message, Duration notBefore) {
        super(message, null, false, false);
        this.kind = Objects.requireNonNull(kind);
        this.notBefore = Objects.requireNonNull(notBefore);
    }

    Kind kind() {
        return kind;
    }

    Duration notBefore() {
        return notBefore;
    }

    /** No answer, by what a transport threw. */
    static SourceException of(IOException failure) {
        String what = switch (failure) {
            case UnknownHostException ignored -> "unknown host";
            case ConnectException ignored -> "can't connect";
            case SocketTimeoutException ignored -> "nothing came in time";
            case SSLException tls -> "TLS: " + innermost(tls);
            default -> innermost(failure);
        };
        return new SourceException(Kind.UNREACHABLE, what);
    }

    private static String innermost(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : line(message);
    }

    /** What another server says, on one line and not too long. */
    static String line(String text) {
        return Quoted.oneLine(text, LONGEST);
    }
}
