package io.plat.engine.rbac.follow;

import io.plat.review.source.Quoted;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;

/** What failures mean to an operator. */
final class Words {
    private static final int LONGEST = 300;

    private Words() {}

    static String of(IOException failure) {
        return switch (failure) {
            case UnknownHostException ignored -> "unknown host";
            case ConnectException ignored -> "can't connect";
            case SocketTimeoutException ignored -> "nothing came in time";
            case SSLException tls -> "TLS: " + innermost(tls);
            default -> innermost(failure);
        };
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
        return Quoted.oneLine(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
