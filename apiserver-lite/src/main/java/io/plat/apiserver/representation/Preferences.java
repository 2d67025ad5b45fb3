package io.plat.apiserver.representation;

import io.plat.apiserver.filter.Incoming;
import io.plat.apiserver.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The form of answers that a client asks for.
 *
 * @param accept its {@code Accept} header, {@code ""} where it sent none
 * @param pretty whether JSON is indented for people: {@code ?pretty}, or a program whose users read what they get
 * @param includeObject the content of a table's rows beside the cells, as the query has it; {@code ""} where it has not
 */
public record Preferences(String accept, boolean pretty, String includeObject) {
    /** Anything will do. */
    public static final Preferences NONE = new Preferences("", false, "");

    private static final List<String> READ_BY_PEOPLE = List.of("curl", "Wget", "Mozilla/5.0");
    private static final String PRETTY = "pretty";
    private static final String INCLUDE_OBJECT = "includeObject";

    public Preferences {
        Objects.requireNonNull(accept);
        Objects.requireNonNull(includeObject);
    }

    /** The preferences of a request. A query that can't be read has none; the request is refused anyway. */
    public static Preferences of(Incoming incoming) {
        QueryParameters query = query(incoming.rawQuery());
        String given = query.first(PRETTY).orElse("");
        boolean pretty = given.isEmpty() ? isReadByPeople(incoming.header("User-Agent")) : isTrue(given);
        return new Preferences(
                incoming.header("Accept"), pretty, query.first(INCLUDE_OBJECT).orElse(""));
    }

    /** Most queries say nothing about the form of the answer and need not be read for it. */
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

    private static boolean isReadByPeople(String agent) {
        for (String program : READ_BY_PEOPLE) {
            if (agent.startsWith(program)) {
                return true;
            }
        }
        return false;
    }
}
