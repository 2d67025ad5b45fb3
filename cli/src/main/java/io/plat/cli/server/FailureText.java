package io.plat.cli.server;

import io.plat.cli.process.CommandException;
import io.plat.review.source.Quoted;
import io.plat.review.status.Status;
import io.plat.review.status.StatusCodec;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Messages for a server's failures. */
public final class FailureText {
    private static final int EXCERPT = 200;

    /** Kubernetes' message if the caller may not create a review about another user. */
    private static final Pattern FORBIDDEN_REVIEW = Pattern.compile(
            "((?:local)?subjectaccessreviews|subjectlistings|accessexplanations)(\\.authorization\\.\\S+) is forbidden: .*");

    private FailureText() {}

    /** Returns the failure for an unsuccessful response. */
    public static CommandException by(URI server, ServerResponse answer) {
        Optional<Status> status = StatusCodec.decode(answer.body());
        Matcher forbidden = FORBIDDEN_REVIEW.matcher(
                answer.code() == HttpURLConnection.HTTP_FORBIDDEN
                        ? status.map(Status::message).orElse("")
                        : "");
        if (forbidden.matches()) {
            String action =
                    forbidden.group(1).equals("accessexplanations") ? "request explanations" : "check other users";
            return CommandException.undetermined(
                    "you may not " + action + ": requires create on " + forbidden.group(1) + forbidden.group(2));
        }
        String message = status.map(failure -> failure.reason().word() + ": " + Quoted.shortLine(failure.message()))
                .orElseGet(() -> excerpt(answer.text()));
        String code = String.valueOf(answer.code());
        String result = message.isEmpty() ? code : message.startsWith(code + " ") ? message : code + " " + message;
        return CommandException.undetermined("error from server " + server + ": " + result + advice(answer.code()));
    }

    private static String advice(int code) {
        return code == HttpURLConnection.HTTP_UNAUTHORIZED
                ? "; the caller is unauthenticated: give --token, --client-certificate with --client-key, or another --context"
                : "";
    }

    private static String excerpt(String text) {
        if (text.indexOf('\0') >= 0) {
            return ""; // The binary form is not readable.
        }
        StringBuilder start = new StringBuilder();
        text.codePoints().limit(EXCERPT).forEach(start::appendCodePoint);
        return Quoted.oneLine(start.toString());
    }
}
