package io.plat.tests.stock;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/** Accepted differences from kube-apiserver, each with its reason. */
final class Reasons {
    /** A reason for a whole response. */
    private record Whole(String reason, Case holds) {}

    /** A reason for one position of the body, by its path. */
    private record Place(String reason, String path, BiPredicate<JsonNode, JsonNode> holds) {}

    private interface Case {
        boolean holds(Exchange exchange, Answer theirs, Answer ours);
    }

    private static final Pattern DISCOVERY =
            Pattern.compile("/(healthz|livez|readyz|version|openapi/v2|api(/v1)?|apis(/[^/]+){0,2})/?");

    private static final List<Whole> WHOLE = List.of(
            new Whole(
                    "a 4xx where kube-apiserver fails",
                    (exchange, theirs, ours) -> theirs.status() == 500 && ours.status() / 100 == 4),
            new Whole(
                    "a Status where kube-apiserver sends plain text or nothing",
                    (exchange, theirs, ours) -> theirs.status() == ours.status()
                            && ours.status() / 100 == 4
                            && !theirs.body().isObject()
                            && !theirs.contentType().contains("yaml")),
            new Whole(
                    "405 for other methods on health and discovery paths",
                    (exchange, theirs, ours) -> ours.status() == 405
                            && DISCOVERY.matcher(bare(exchange.path())).matches()),
            new Whole(
                    "build information differs",
                    (exchange, theirs, ours) ->
                            bare(exchange.path()).equals("/version") && theirs.status() == ours.status()),
            new Whole(
                    "the groups of the specification are listed in addition",
                    (exchange, theirs, ours) ->
                            bare(exchange.path()).equals("/apis") && theirs.status() == ours.status()),
            new Whole(
                    "empty path segments",
                    (exchange, theirs, ours) -> bare(exchange.path()).contains("//")),
            new Whole("Accept with q=0 or application/*", (exchange, theirs, ours) -> {
                String accept = header(exchange, "Accept");
                return (accept.contains("q=0") && !accept.contains("q=0.")) || accept.contains("application/*");
            }),
            new Whole(
                    "an empty Accept is refused",
                    (exchange, theirs, ours) ->
                            ours.status() == 406 && header(exchange, "Accept").isEmpty()),
            new Whole(
                    "an empty or malformed Content-Type is refused before the body is read",
                    (exchange, theirs, ours) ->
                            ours.status() == 415 && message(ours).contains("is empty or malformed")),
            new Whole(
                    "a 406 names both media types of the binary form, and none that the type does not have",
                    (exchange, theirs, ours) -> ours.status() == 406
                            && theirs.status() == 406
                            && message(ours).startsWith("406: Not Acceptable")),
            new Whole(
                    "a deletion heeds its query although it has a body",
                    (exchange, theirs, ours) -> exchange.method().equals("DELETE")
                            && !exchange.body().isEmpty()
                            && exchange.path()
                                    .matches(".*[?&](gracePeriodSeconds|propagationPolicy|orphanDependents)=.*")),
            new Whole(
                    "a continue token of another server is refused",
                    (exchange, theirs, ours) -> ours.status() == 400
                            && message(ours).startsWith("invalid continue token: continue key is not valid")
                            && (theirs.status() == 200 || message(theirs).startsWith(message(ours)))),
            new Whole(
                    "an empty Impersonate-User is refused",
                    (exchange, theirs, ours) -> ours.status() == 400
                            && exchange.headers()
                                    .getOrDefault("Impersonate-User", "x")
                                    .isEmpty()),
            new Whole(
                    "that kube-apiserver has no controllers, so its role view is empty",
                    (exchange, theirs, ours) ->
                            theirs.status() == 403 && message(theirs).contains("User \"alice\"")),
            new Whole(
                    "constrained impersonation is not served",
                    (exchange, theirs, ours) ->
                            theirs.status() == ours.status() && message(theirs).contains(" cannot impersonate-on:")));

    private static final List<Place> PLACES = List.of(
            new Place(
                    "a list always has a continue token",
                    ".metadata.continue",
                    (theirs, ours) -> theirs.isMissingNode() && ours.asText("x").isEmpty()),
            new Place(
                    "the message of a refusal ends with the authorizer's reason",
                    ".message",
                    (theirs, ours) -> theirs.asText().contains("forbidden: User ")
                            && ours.asText().startsWith(theirs.asText())),
            new Place(
                    "a review carries the authorizer's reason", ".status.reason", (theirs, ours) -> ours.isTextual()));

    private Reasons() {}

    /** Returns whether one reason covers all differences of the responses. */
    static boolean cover(Exchange exchange, Answer theirs, Answer ours) {
        return WHOLE.stream().anyMatch(whole -> whole.holds().holds(exchange, theirs, ours));
    }

    /** Returns whether a reason covers a position of the body. */
    static boolean cover(String path, JsonNode theirs, JsonNode ours) {
        return PLACES.stream()
                .anyMatch(place -> place.path().equals(path) && place.holds().test(theirs, ours));
    }

    /** Returns whether only this server returns a warning about an unenforced type. */
    static boolean own(String warning) {
        return warning.contains("\"this server does not ");
    }

    private static String header(Exchange exchange, String name) {
        return exchange.headers().getOrDefault(name, "application/json");
    }

    private static String message(Answer answer) {
        return answer.body().path("message").asText();
    }

    private static String bare(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
