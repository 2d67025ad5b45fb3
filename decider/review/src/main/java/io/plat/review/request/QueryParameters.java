package io.plat.review.request;

import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Query parameters. If a parameter is repeated, the first value counts.
 *
 * @param values values of each parameter in order
 */
public record QueryParameters(Map<String, List<String>> values) {
    public static final QueryParameters NONE = new QueryParameters(Map.of());

    /** Maximum number of parameters, more than any API request has. */
    private static final int MAX_PARAMETERS = 1000;

    public QueryParameters {
        Map<String, List<String>> copy = new LinkedHashMap<>();
        values.forEach((name, all) -> copy.put(name, List.copyOf(all)));
        values = Collections.unmodifiableMap(copy);
    }

    /**
     * Parses a query. Pairs are separated by {@code &} only; {@code ;} is an ordinary character.
     *
     * @param raw the query without its question mark, or null
     * @throws StatusException 400 if it is not percent-encoded UTF-8, or has too many parameters
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

    /** Returns the first value of a parameter, if present. */
    public Optional<String> first(String name) {
        List<String> all = values.get(name);
        return all == null ? Optional.empty() : Optional.of(all.getFirst());
    }

    /**
     * Returns whether a flag is set: present, with a first value other than {@code 0} and {@code false}, case-insensitively, as
     * Kubernetes parses {@code watch} and {@code pretty}.
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
