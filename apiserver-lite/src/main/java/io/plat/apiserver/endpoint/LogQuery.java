package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.podlog.LogOptions;
import io.plat.apiserver.podlog.LogOptions.Stream;
import io.plat.apiserver.rules.Causes;
import io.plat.apiserver.rules.Field;
import io.plat.apiserver.rules.Rules;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.StatusException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Query parameters of a log request.
 *
 * @param container container; {@code ""} for the only one
 * @param previous whether to read the log of the previous container instance
 * @param options selection of lines
 */
record LogQuery(String container, boolean previous, LogOptions options) {
    private static final String KIND = "PodLogOptions";
    private static final List<String> NUMBERS = List.of("tailLines", "limitBytes", "sinceSeconds");

    /**
     * Parses a query.
     *
     * @param pod name of the pod, for failures
     * @throws StatusException 400 for malformed, 422 for invalid parameters
     */
    static LogQuery of(QueryParameters query, String pod, InstantSource clock) throws StatusException {
        ObjectNode options = Json.object();
        for (String name : NUMBERS) {
            RequestOptions.number(query, name).ifPresent(number -> options.put(name, number));
        }
        Optional<Instant> time = time(query);
        time.ifPresent(known -> options.put("sinceTime", known.toString()));
        options.put("stream", RequestOptions.text(query, "stream"));
        List<Cause> causes = Causes.of(found -> Rules.check(KIND, Field.of(options, found)));
        if (!causes.isEmpty()) {
            throw Failures.invalid("", KIND, pod, causes);
        }
        return new LogQuery(
                query.first("container").orElse(""),
                query.flag("previous"),
                new LogOptions(
                        query.flag("follow"),
                        options.path("tailLines").asLong(-1),
                        options.has("sinceSeconds")
                                ? ago(options.path("sinceSeconds").asLong(), clock)
                                : time.orElse(null),
                        query.flag("timestamps"),
                        options.path("limitBytes").asLong(Long.MAX_VALUE),
                        switch (Json.text(options, "stream")) {
                            case "Stdout" -> Stream.STDOUT;
                            case "Stderr" -> Stream.STDERR;
                            default -> Stream.ALL;
                        }));
    }

    private static Instant ago(long seconds, InstantSource clock) {
        return clock.instant().minusSeconds(Math.min(seconds, 1L << 40));
    }

    private static Optional<Instant> time(QueryParameters query) throws StatusException {
        String text = query.first("sinceTime").orElse("");
        if (text.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Timestamps.parse(text)
                .orElseThrow(() -> ApiErrors.badRequest(
                        "sinceTime: \"" + text + "\" is wrong, expected a time such as 2006-01-02T15:04:05Z")));
    }
}
