package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.re2j.Pattern;
import io.plat.apiserver.options.DeleteOptions;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.options.WriteOptions;
import io.plat.apiserver.schema.FieldErrorMessages;
import io.plat.apiserver.tree.Json;
import io.plat.apiserver.type.ApiErrors;
import io.plat.review.request.QueryParameters;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Optional;

/** Parses options in queries. Irrelevant parameters are ignored, as in Kubernetes. */
final class RequestOptions {
    private static final int MAX_AGENT_LENGTH = 128;

    private static final Pattern WHOLE_NUMBER = Pattern.compile("[+-]?[0-9]+");
    private static final Pattern UNITLESS = Pattern.compile("[+-]?([0-9]+(\\.[0-9]*)?|\\.[0-9]+)");
    private static final Pattern DURATION =
            Pattern.compile("[+-]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)){1,16}");

    private RequestOptions() {}

    /**
     * Parses the options of a list or a watch.
     *
     * @throws StatusException 400 for a malformed number
     */
    static ListOptions list(QueryParameters query) throws StatusException {
        var _ = number(query, "timeoutSeconds");
        int limit = Math.clamp(number(query, "limit").orElse(0L), 0, Integer.MAX_VALUE);
        return new ListOptions(
                text(query, "labelSelector"),
                text(query, "fieldSelector"),
                text(query, "resourceVersion"),
                text(query, "resourceVersionMatch"),
                limit,
                text(query, "continue"),
                query.first("sendInitialEvents").isPresent() ? query.flag("sendInitialEvents") : null,
                query.flag("allowWatchBookmarks"));
    }

    /**
     * Validates the {@code timeout} parameter, which every request may have. The server's own request timeout applies regardless.
     *
     * @throws StatusException 400 unless it is a Go duration
     */
    static void checkTimeout(QueryParameters query) throws StatusException {
        String text = text(query, "timeout");
        if (text.isEmpty() || text.equals("0") || DURATION.matcher(text).matches()) {
            return;
        }
        throw ApiErrors.badRequest("invalid timeout specified in the request URL - time: "
                + (UNITLESS.matcher(text).matches() ? "missing unit in" : "invalid") + " duration "
                + FieldErrorMessages.quoted(text));
    }

    /**
     * Parses an integer; empty if the parameter is absent.
     *
     * @throws StatusException 400 unless it is a 64-bit integer
     */
    static Optional<Long> number(QueryParameters query, String name) throws StatusException {
        Optional<String> given = query.first(name);
        if (given.isEmpty()) {
            return Optional.empty();
        }
        String text = given.get();
        String problem = "invalid syntax";
        if (WHOLE_NUMBER.matcher(text).matches()) {
            try {
                return Optional.of(Long.parseLong(text));
            } catch (NumberFormatException e) {
                problem = "value out of range";
            }
        }
        throw ApiErrors.badRequest("strconv.ParseInt: parsing " + FieldErrorMessages.quoted(text) + ": " + problem);
    }

    /**
     * Parses the options of a write.
     *
     * @param kind kind of the options, such as {@code CreateOptions}
     * @param userAgent User-Agent header, the default field manager
     * @param applies whether the write is a server-side apply
     */
    static WriteOptions write(String kind, QueryParameters query, String userAgent, boolean applies)
            throws StatusException {
        return WriteOptions.of(kind, query, agent(userAgent), applies);
    }

    /** Returns the name of a client: the printable part of the first product in its User-Agent. */
    static String agent(String header) {
        var printable = new StringBuilder();
        for (int i = 0; i < header.length() && header.charAt(i) != '/' && printable.length() < MAX_AGENT_LENGTH; i++) {
            char c = header.charAt(i);
            if (c >= ' ' && c < 0x7f) {
                printable.append(c);
            }
        }
        String name = printable.toString();
        return name.isBlank() ? "unknown" : name;
    }

    /**
     * Combines the options of a deletion: those of the body take precedence over those of the query, but a dry run in either is one.
     *
     * @param body options in the body, possibly without fields; modified
     */
    static DeleteOptions delete(QueryParameters query, ObjectNode body) throws StatusException {
        JsonNode stages = body.path("dryRun");
        if (stages.isMissingNode() || stages.isNull() || (stages.isArray() && stages.isEmpty())) {
            Json.putTexts(body, "dryRun", dryRun(query));
        }
        String policy = text(query, "propagationPolicy");
        String orphan = text(query, "orphanDependents");
        if (!body.has("propagationPolicy") && !body.has("orphanDependents")) {
            if (!policy.isEmpty()) {
                body.put("propagationPolicy", policy);
            }
            if (!orphan.isEmpty()) {
                body.put("orphanDependents", query.flag("orphanDependents"));
            }
        }
        var _ = number(query, "gracePeriodSeconds");
        if (!body.has("preconditions")) {
            for (String precondition : List.of("uid", "resourceVersion")) {
                query.first(precondition)
                        .filter(text -> !text.isEmpty())
                        .ifPresent(text -> Json.child(body, "preconditions").put(precondition, text));
            }
        }
        return DeleteOptions.of(body);
    }

    private static List<String> dryRun(QueryParameters query) {
        return query.values().getOrDefault("dryRun", List.of());
    }

    static String text(QueryParameters query, String name) {
        return query.first(name).orElse("");
    }
}
