package io.plat.tests.stock;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;

/** The differences from the stock server that are kept, each with its reason. */
final class Reasons {
    /** A reason that covers a whole answer. */
    private record Whole(String reason, Case holds) {}

    /** A reason that covers one place of the body, by its path. */
    private record Place(String reason, String path, BiPredicate<JsonNode, JsonNode> holds) {}

    private interface Case {
        boolean holds(Exchange exchange, Answer theirs, Answer ours);
    }

    private static final Set<String> PLAIN_PATHS = Set.of("/healthz", "/livez", "/readyz", "/version", "/api", "/apis", "/openapi/v2");

    private static final List<Whole> WHOLE = List.of(
            new Whole(
                    "a refusal where that server fails",
                    (exchange, theirs, ours) -> theirs.status() == 500 && ours.status() / 100 == 4),
            new Whole(
                    "a Status where that server sends a plain text",
                    (exchange, theirs, ours) -> theirs.status() == ours.status()
                            && theirs.status() == 404
                            && theirs.contentType().startsWith("text/plain")),
            new Whole(
                    "405 for other methods on health and discovery paths",
                    (exchange, theirs, ours) -> ours.status() == 405 && PLAIN_PATHS.contains(bare(exchange.path()))),
            new Whole("a build describes itself", (exchange, theirs, ours) -> bare(exchange.path()).equals("/version")
                    && theirs.status() == ours.status()),
            new Whole("empty path segments", (exchange, theirs, ours) -> bare(exchange.path()).contains("//")),
            new Whole("Accept with q=0 or application/*", (exchange, theirs, ours) -> {
                String accept = exchange.headers().getOrDefault("Accept", "");
                return accept.contains("q=0") && !accept.contains("q=0.") || accept.contains("application/*");
            }));

    private static final List<Place> PLACES = List.of(
            new Place(
                    "a list always has a continue token",
                    ".metadata.continue",
                    (theirs, ours) -> theirs.isMissingNode() && ours.asText("x").isEmpty()),
            new Place(
                    "the message of a refusal ends with the authorizer's reason",
                    ".message",
                    (theirs, ours) -> theirs.asText().contains(" is forbidden: ")
                            && ours.asText().startsWith(theirs.asText())),
            new Place("a review carries the authorizer's reason", ".status.reason", (theirs, ours) -> ours.isTextual()));

    private Reasons() {}

    /** Whether the answers differ for a reason that covers all of them. */
    static boolean cover(Exchange exchange, Answer theirs, Answer ours) {
        return WHOLE.stream().anyMatch(whole -> whole.holds().holds(exchange, theirs, ours));
    }

    /** Whether a place of the body differs for a reason. */
    static boolean cover(String path, JsonNode theirs, JsonNode ours) {
        return PLACES.stream()
                .anyMatch(place -> place.path().equals(path) && place.holds().test(theirs, ours));
    }

    /** Whether a warning is one that only this server has: that it does not enforce a type. */
    static boolean own(String warning) {
        return warning.contains("\"this server does not ");
    }

    private static String bare(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
