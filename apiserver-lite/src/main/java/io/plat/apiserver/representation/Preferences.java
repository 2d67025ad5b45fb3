package io.plat.apiserver.representation;

import io.plat.apiserver.filter.IncomingRequest;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Preferences of a client regarding the response format.
 *
 * @param accept {@code Accept} header, {@code ""} if absent
 * @param pretty whether JSON is indented: {@code ?pretty}, or a client that people use directly
 * @param includeObject {@code includeObject} parameter of tables; {@code ""} if absent
 */
public record Preferences(String accept, boolean pretty, String includeObject) {
    public static final Preferences NONE = new Preferences("", false, "");

    private static final List<String> INTERACTIVE_AGENTS = List.of("curl", "Wget", "Mozilla/5.0");
    private static final String PRETTY = "pretty";
    private static final String INCLUDE_OBJECT = "includeObject";

    /** Returns the preferences of a request. A malformed query has none; the request is rejected anyway. */
    public static Preferences of(IncomingRequest incoming) {
        QueryParameters query = query(incoming.rawQuery());
        String parameter = query.first(PRETTY).orElse("");
        boolean pretty = parameter.isEmpty() ? isInteractive(incoming.header("User-Agent")) : isTrue(parameter);
        return new Preferences(
                incoming.header("Accept"), pretty, query.first(INCLUDE_OBJECT).orElse(""));
    }

    /** Returns the query parameters; most queries contain no relevant ones and need not be parsed. */
    private static QueryParameters query(@Nullable String raw) {
        if (raw == null || !(raw.contains(PRETTY) || raw.contains(INCLUDE_OBJECT))) {
            return QueryParameters.NONE;
        }
        try {
            return QueryParameters.parse(raw);
        } catch (StatusException unreadable) {
            return QueryParameters.NONE;
        }
    }

    private static boolean isTrue(String text) {
        return switch (text) {
            case "1", "t", "T", "true", "TRUE", "True" -> true;
            default -> false;
        };
    }

    private static boolean isInteractive(String agent) {
        for (String program : INTERACTIVE_AGENTS) {
            if (agent.startsWith(program)) {
                return true;
            }
        }
        return false;
    }
}
