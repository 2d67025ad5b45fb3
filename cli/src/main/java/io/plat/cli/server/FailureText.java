package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import java.net.URI;
import java.util.Optional;

/** Messages for a server's failures. */
public final class FailureText {
    private static final int EXCERPT = 200;
    private static final int UNAUTHORIZED = 401;

    private FailureText() {}

    /** The failure to end a command with, for an answer that did not succeed. */
    public static CommandException by(URI server, ServerResponse answer) {
        Optional<Status> status = StatusCodec.decode(answer.body());
        String message = status.map(failure -> failure.reason().word() + ": " + Quoted.shortLine(failure.message()))
                .orElseGet(() -> excerpt(answer.text()));
        String code = String.valueOf(answer.code());
        String said = message.isEmpty() ? code : message.startsWith(code + " ") ? message : code + " " + message;
        return CommandException.undetermined("error from server " + server + ": " + said + advice(answer.code()));
    }

    private static String advice(int code) {
        return code == UNAUTHORIZED
                ? "; the caller is unauthenticated: give --token, --client-certificate with --client-key, or another --context"
                : "";
    }

    private static String excerpt(String text) {
        if (text.indexOf('\0') >= 0) {
            return ""; // The binary form is for programs.
        }
        StringBuilder start = new StringBuilder();
        text.codePoints().limit(EXCERPT).forEach(start::appendCodePoint);
        return Quoted.oneLine(start.toString());
    }
}
