package io.plat.apiserver.endpoint;

import io.plat.apiserver.request.QueryParameters;
import io.plat.apiserver.resource.DeleteOptions;
import io.plat.apiserver.resource.ListOptions;
import io.plat.apiserver.resource.WriteOptions;
import io.plat.apiserver.resource.WriteOptions.FieldValidation;
import io.plat.review.status.StatusException;
import java.util.Optional;

/** What the query says about an operation. Parameters that mean nothing here are ignored, as in the field. */
final class RequestOptions {
    private RequestOptions() {}

    static ListOptions list(QueryParameters query) throws StatusException {
        return new ListOptions(
                text(query, "labelSelector"),
                text(query, "fieldSelector"),
                text(query, "resourceVersion"),
                text(query, "resourceVersionMatch"),
                limit(query),
                text(query, "continue"));
    }

    static WriteOptions write(QueryParameters query) throws StatusException {
        return new WriteOptions(dryRun(query), fieldValidation(text(query, "fieldValidation")));
    }

    /** The options of the body, with what the query adds. */
    static DeleteOptions delete(QueryParameters query, DeleteOptions given) throws StatusException {
        Optional<String> policy = query.first("propagationPolicy").filter(text -> !text.isEmpty());
        DeleteOptions options = policy.isPresent()
                ? new DeleteOptions(given.dryRun(), given.uid(), given.resourceVersion(), propagation(policy.get()))
                : given;
        return dryRun(query) ? options.asDryRun() : options;
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

    private static boolean dryRun(QueryParameters query) throws StatusException {
        String text = text(query, "dryRun");
        return switch (text) {
            case "" -> false;
            case "All" -> true;
            default -> throw Failures.badRequest("dryRun: \"" + text + "\" is wrong, expected \"All\"");
        };
    }

    private static String propagation(String text) throws StatusException {
        return switch (text) {
            case "Background", "Foreground", "Orphan" -> text;
            default ->
                throw Failures.badRequest("propagationPolicy: \"" + text
                        + "\" is wrong, expected \"Background\", \"Foreground\" or \"Orphan\"");
        };
    }

    private static FieldValidation fieldValidation(String text) throws StatusException {
        return switch (text) {
            case "", "Warn" -> FieldValidation.WARN;
            case "Ignore" -> FieldValidation.IGNORE;
            case "Strict" -> FieldValidation.STRICT;
            default ->
                throw Failures.badRequest(
                        "fieldValidation: \"" + text + "\" is wrong, expected \"Ignore\", \"Warn\" or \"Strict\"");
        };
    }
}
