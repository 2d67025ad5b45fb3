package io.plat.apiserver.endpoint;

import io.plat.apiserver.podlog.LogOptions;
import io.plat.apiserver.podlog.LogOptions.Stream;
import io.plat.apiserver.timestamp.Timestamps;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.StatusException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Query parameters of a log request.
 *
 * @param container container; {@code ""} for the only one
 * @param previous whether to read the log of the previous container instance
 * @param options selection of lines
 */
record LogQuery(String container, boolean previous, LogOptions options) {
    private static final String KIND = "PodLogOptions";
    private static final String EXCLUSIVE = "at most one of `sinceTime` or `sinceSeconds` may be specified";
    private static final String POSITIVE = "must be greater than 0";

    /**
     * Parses a query.
     *
     * @param pod name of the pod, for failures
     * @throws StatusException 400 for malformed, 422 for invalid parameters
     */
    static LogQuery of(QueryParameters query, String pod, InstantSource clock) throws StatusException {
        List<Cause> causes = new ArrayList<>();
        Optional<Long> tail = RequestOptions.number(query, "tailLines");
        Optional<Long> limit = RequestOptions.number(query, "limitBytes");
        Optional<Long> seconds = RequestOptions.number(query, "sinceSeconds");
        Optional<Instant> time = time(query);
        atLeast(0, tail, "tailLines", "must be greater than or equal to 0", causes);
        atLeast(1, limit, "limitBytes", POSITIVE, causes);
        if (seconds.isPresent() && time.isPresent()) {
            causes.add(new Cause("FieldValueForbidden", "Forbidden: " + EXCLUSIVE, ""));
        } else {
            atLeast(1, seconds, "sinceSeconds", POSITIVE, causes);
        }
        Stream stream = stream(query, tail.isPresent(), causes);
        if (!causes.isEmpty()) {
            throw Failures.invalid("", KIND, pod, causes);
        }
        @Nullable
        Instant since = seconds.map(ago -> clock.instant().minusSeconds(Math.min(ago, 1L << 40)))
                .or(() -> time)
                .orElse(null);
        return new LogQuery(
                query.first("container").orElse(""),
                query.flag("previous"),
                new LogOptions(
                        query.flag("follow"),
                        tail.orElse(-1L),
                        since,
                        query.flag("timestamps"),
                        limit.orElse(Long.MAX_VALUE),
                        stream));
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

    private static void atLeast(long min, Optional<Long> number, String field, String reason, List<Cause> causes) {
        if (number.isPresent() && number.get() < min) {
            causes.add(new Cause("FieldValueInvalid", "Invalid value: " + number.get() + ": " + reason, field));
        }
    }

    private static Stream stream(QueryParameters query, boolean tail, List<Cause> causes) {
        String text = query.first("stream").orElse("");
        Stream stream = switch (text) {
            case "Stdout" -> Stream.STDOUT;
            case "Stderr" -> Stream.STDERR;
            case "", "All" -> Stream.ALL;
            default -> {
                causes.add(new Cause(
                        "FieldValueNotSupported",
                        "Unsupported value: \"" + text + "\": supported values: \"All\", \"Stderr\", \"Stdout\"",
                        "stream"));
                yield Stream.ALL;
            }
        };
        if (tail && stream != Stream.ALL) {
            causes.add(new Cause(
                    "FieldValueForbidden",
                    "Forbidden: `tailLines` and specific `stream` are mutually exclusive for now",
                    ""));
        }
        return stream;
    }
}
