package io.plat.apiserver.request;

import io.plat.apiserver.request.RequestInfo.PathRequest;
import io.plat.apiserver.request.RequestInfo.ResourceRequest;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Derives request attributes from method and path (specification, "Resource paths" and "Verb derivation").
 * <pre>
 * /api/{version}/[prefix/][namespaces/{namespace}/]{resource}[/{name}[/{subresource}[/tail]]]
 * /apis/{group}/{version}/[prefix/][namespaces/{namespace}/]{resource}[/{name}[/{subresource}[/tail]]]
 * </pre>
 * All other paths are non-resource paths.
 */
record RequestInfoParser(String method, RequestPath path, QueryParameters query) {
    /** Legacy path prefixes that determine the verb for every method. */
    private static final Set<String> PREFIXES = Set.of("watch", "proxy", "redirect");

    /** Subresources of namespaces, as opposed to resources in them. */
    private static final Set<String> NAMESPACE_SUBRESOURCES = Set.of("status", "finalize");

    private static final Set<String> SELECTING_VERBS = Set.of("list", "watch", "deletecollection");

    static RequestInfo derive(String method, RequestPath path, QueryParameters query) throws StatusException {
        RequestInfoParser parser = new RequestInfoParser(method, path, query);
        List<String> segments = path.segments();
        String first = segments.isEmpty() ? "" : segments.getFirst();
        if (first.equals("api") && segments.size() >= 3) {
            return parser.resource("", segments.get(1), segments.subList(2, segments.size()));
        }
        if (first.equals("apis") && segments.size() >= 4) {
            return parser.resource(segments.get(1), segments.get(2), segments.subList(3, segments.size()));
        }
        String decoded = path.decoded();
        return new PathRequest(
                method, decoded, query, new NonResourceAttributes(decoded, method.toLowerCase(Locale.ROOT)));
    }

    private RequestInfo resource(String group, String version, List<String> segments) throws StatusException {
        String prefix = PREFIXES.contains(segments.getFirst()) ? segments.getFirst() : "";
        List<String> rest = prefix.isEmpty() ? segments : segments.subList(1, segments.size());
        if (rest.isEmpty()) {
            throw new StatusException(
                    StatusReason.BAD_REQUEST, "malformed request path: a resource must follow \"" + prefix + "\"");
        }
        String namespace = "";
        if (rest.getFirst().equals("namespaces") && rest.size() > 1) {
            namespace = rest.get(1);
            if (rest.size() > 2 && !NAMESPACE_SUBRESOURCES.contains(rest.get(2))) {
                rest = rest.subList(2, rest.size());
            }
        }
        boolean forwards = prefix.equals("proxy") || prefix.equals("redirect");
        String name = rest.size() > 1 ? rest.get(1) : "";
        String subresource = rest.size() > 2 && !forwards ? rest.get(2) : "";
        int consumed = Math.min(rest.size(), forwards ? 2 : 3);
        String verb = prefix.isEmpty() ? verb(!name.isEmpty()) : prefix;
        if (prefix.isEmpty() && name.isEmpty() && (verb.equals("list") || verb.equals("watch"))) {
            name = nameSelected();
        }
        boolean selects = prefix.isEmpty() && SELECTING_VERBS.contains(verb);
        ResourceAttributes access = new ResourceAttributes(
                namespace,
                verb,
                group,
                version,
                rest.getFirst(),
                subresource,
                name,
                selects ? selector("fieldSelector") : null,
                selects ? selector("labelSelector") : null);
        return new ResourceRequest(method, path.decoded(), query, access, prefix, rest.subList(consumed, rest.size()));
    }

    /** Returns the verb of a method on an individual resource or a collection; {@code ""} for an unmapped method. */
    private String verb(boolean individual) {
        return switch (method) {
            case "POST" -> "create";
            case "GET", "HEAD" -> individual ? "get" : query.flag("watch") ? "watch" : "list";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> individual ? "delete" : "deletecollection";
            default -> "";
        };
    }

    /** Returns the only name that a field selector matches, or {@code ""}. */
    private String nameSelected() {
        return query.first("fieldSelector")
                .flatMap(Selectors::parseFields)
                .flatMap(Selectors::requiredName)
                .orElse("");
    }

    /**
     * Returns a selector for the authorizer. A malformed one is omitted, which makes the check stricter; the operation itself rejects it
     * with 400.
     */
    private @Nullable SelectorAttributes selector(String parameter) {
        return query.first(parameter)
                .filter(raw -> !raw.isEmpty())
                .flatMap(raw ->
                        parameter.equals("fieldSelector") ? Selectors.parseFields(raw) : Selectors.parseLabels(raw))
                .filter(requirements -> !requirements.isEmpty())
                .map(requirements -> new SelectorAttributes("", requirements))
                .orElse(null);
    }
}
