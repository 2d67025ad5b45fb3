package io.plat.apiserver.endpoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.resource.DeleteOptions;
import io.plat.apiserver.resource.ListOptions;
import io.plat.apiserver.resource.ListRules;
import io.plat.apiserver.resource.WriteOptions;
import io.plat.review.status.StatusException;

/** What the query says about an operation. Parameters that mean nothing here are ignored, as in the field. */
final class RequestOptions {
    private static final int LONGEST_AGENT = 128;

    private RequestOptions() {}

    static ListOptions list(QueryParameters query) throws StatusException {
        if (!text(query, "sendInitialEvents").isEmpty()) {
            throw ListRules.initialEventsForbidden();
        }
        return new ListOptions(
                text(query, "labelSelector"),
                text(query, "fieldSelector"),
                text(query, "resourceVersion"),
                text(query, "resourceVersionMatch"),
                limit(query),
                text(query, "continue"));
    }

    /**
     * The options of a write.
     *
     * @param kind what the field calls them, such as {@code CreateOptions}
     * @param userAgent the header field, for where no manager is named
     */
    static WriteOptions write(String kind, QueryParameters query, String userAgent) throws StatusException {
        return write(kind, query, userAgent, false);
    }

    /** Those of an application. */
    static WriteOptions apply(QueryParameters query, String userAgent) throws StatusException {
        return write("PatchOptions", query, userAgent, true);
    }

    private static WriteOptions write(String kind, QueryParameters query, String userAgent, boolean applies)
            throws StatusException {
        var asked = new WriteOptions.Asked(
                text(query, "dryRun"),
                text(query, "fieldValidation"),
                text(query, "fieldManager"),
                kind.equals("PatchOptions") ? text(query, "force") : "",
                agent(userAgent));
        return WriteOptions.of(kind, asked, applies);
    }

    /** What a client calls itself: the first product of its User-Agent, as far as it can be printed. */
    static String agent(String header) {
        String product = header.split("/", -1)[0];
        String printable = product.chars()
                .filter(c -> c >= ' ' && c < 0x7f)
                .limit(LONGEST_AGENT)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return printable.isBlank() ? "unknown" : printable;
    }

    /**
     * The options of a deletion: those of the body, and those of the query that the body leaves unsaid. A dry run is one wherever it
     * is asked for.
     *
     * @param body the object that the body holds, without members where there is none; it is changed
     */
    static DeleteOptions delete(QueryParameters query, ObjectNode body) throws StatusException {
        String dryRun = text(query, "dryRun");
        if (!dryRun.isEmpty()) {
            body.putArray("dryRun").add(dryRun);
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
        String grace = text(query, "gracePeriodSeconds");
        if (!grace.isEmpty() && !grace.matches("-?[0-9]{1,18}")) {
            throw Failures.badRequest("strconv.ParseInt: parsing \"" + grace + "\": invalid syntax");
        }
        return DeleteOptions.of(body);
    }

    private static String text(QueryParameters query, String name) {
        return query.first(name).orElse("");
    }

    private static int limit(QueryParameters query) throws StatusException {
        String text = text(query, "limit");
        if (text.isEmpty()) {
            return 0;
        }
        try {
            long limit = Long.parseLong(text);
            if (limit >= 0) {
                return (int) Math.min(limit, Integer.MAX_VALUE);
            }
        } catch (NumberFormatException e) {
            // Told below, together with numbers that are too small.
        }
        throw Failures.badRequest("limit: \"" + text + "\" is wrong, expected a number that is not negative");
    }
}
