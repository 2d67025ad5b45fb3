package io.plat.apiserver.representation;

import io.plat.apiserver.filter.Incoming;
import io.plat.apiserver.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a client wants to be answered.
 *
 * @param accept its {@code Accept} header, {@code ""} where it sent none
 * @param pretty whether JSON is indented for people: {@code ?pretty}, or a program whose users read what they get
 */
public record Preferences(String accept, boolean pretty) {
    /** Anything will do. */
    public static final Preferences NONE = new Preferences("", false);

    private static final List<String> READ_BY_PEOPLE = List.of("curl", "Wget", "Mozilla/5.0");

    public Preferences {
        Objects.requireNonNull(accept);
    }

    /** What a request says. A query that can't be read says nothing here; what it asked for is refused anyway. */
    public static Preferences of(Incoming incoming) {
        return new Preferences(incoming.header("Accept"), pretty(incoming));
    }

    private static boolean pretty(Incoming incoming) {
        @Nullable String query = incoming.rawQuery();
        if (query != null && query.contains("pretty")) {
            try {
                String given = QueryParameters.parse(query).first("pretty").orElse("");
                if (!given.isEmpty()) {
                    return switch (given.toLowerCase(Locale.ROOT)) {
                        case "1", "t", "true" -> true;
                        default -> false;
                    };
                }
            } catch (StatusException unreadable) {
                return false;
            }
        }
        String agent = incoming.header("User-Agent");
        return READ_BY_PEOPLE.stream().anyMatch(agent::startsWith);
    }
}
