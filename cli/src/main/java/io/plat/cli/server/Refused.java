package io.plat.cli.server;

import io.plat.cli.CommandException;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import java.net.URI;
import java.util.Optional;

/** What a server's failure is in words. */
public final class Refused {
    private static final int EXCERPT = 200;

    private Refused() {}

    /** The failure to end a command with, for an answer that did not succeed. */
    public static CommandException by(URI server, Answer answer) {
        Optional<Status> status = StatusCodec.decode(answer.body());
        String message = status.map(failure -> failure.reason().word() + ": " + failure.message())
                .orElseGet(() -> excerpt(answer.text()));
        return CommandException.couldNotTell(
                "error from server " + server + ": " + answer.code() + (message.isEmpty() ? "" : " " + message));
    }

    private static String excerpt(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints()
                .limit(EXCERPT)
                .map(c -> Character.isISOControl(c) ? ' ' : c)
                .forEach(line::appendCodePoint);
        return line.toString().strip();
    }
}
