package io.plat.apiserver.request;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request's query. Where a parameter is given more than once, the first value counts.
 *
 * @param values the values of each parameter in the order given
 */
public record QueryParameters(Map<String, List<String>> values) {
    /** No parameters. */
    public static final QueryParameters NONE = new QueryParameters(Map.of());

    /** More than any request of the API has; a bound on what one request may cost. */
    private static final int MAX_PARAMETERS = 1000;

    public QueryParameters {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, given) -> copy.put(name, List.copyOf(given)));
        values = Map.copyOf(copy);
    }

    /**
     * Reads a query. Pairs are separated by {@code &} alone; {@code ;} is an ordinary character.
     *
     * @param raw the query without its question mark, or null
     * @throws StatusException 400 where it is not percent-encoded UTF-8, or has too many parameters
     */
    public static QueryParameters parse(@Nullable String raw) throws StatusException {
        if (raw == null || raw.isEmpty()) {
            return NONE;
        }
        Map<String, List<String>> values = new LinkedHashMap<>();
        int count = 0;
        for (String pair : raw.split("&", MAX_PARAMETERS + 1)) {
            if (pair.isEmpty()) {
                continue;
            }
            if (++count > MAX_PARAMETERS) {
                throw new StatusException(
                        StatusReason.BAD_REQUEST, "malformed query: more than " + MAX_PARAMETERS + " parameters");
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            values.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
        }
        return new QueryParameters(values);
    }

    /** The first value of a parameter, if it is given at all. */
    public Optional<String> first(String name) {
        List<String> given = values.get(name);
        return given == null ? Optional.empty() : Optional.of(given.getFirst());
    }

    /**
     * Whether a flag is set: given, and its first value neither {@code 0} nor {@code false} in any case, as the field reads
     * {@code watch} and {@code pretty}.
     */
    public boolean flag(String name) {
        return first(name)
                .map(value -> switch (value.toLowerCase(Locale.ROOT)) {
                    case "0", "false" -> false;
                    default -> true;
                })
                .orElse(false);
    }

    private static String decode(String raw) throws StatusException {
        return PercentDecoding.decode(raw, true)
                .orElseThrow(() -> new StatusException(
                        StatusReason.BAD_REQUEST, "malformed query: it must be percent-encoded UTF-8"));
    }
}
