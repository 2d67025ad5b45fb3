package io.plat.apiserver.request;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks for, as both the authorizer and the router see it (specification, "Request attributes" and "Verb
 * derivation").
 */
public sealed interface RequestInfo {
    /** The HTTP method as sent; methods are case-sensitive. */
    String method();

    /** The path, decoded once. */
    String path();

    /** The query. */
    QueryParameters query();

    /** What the authorizer is asked about, the group as the path names it. */
    AccessAttributes access();

    /**
     * A request for a resource.
     *
     * @param method the HTTP method
     * @param path the decoded path
     * @param query the query
     * @param access namespace, verb, group, version, resource, subresource and name
     * @param prefix {@code watch}, {@code proxy} or {@code redirect} where the old form {@code /api/v1/watch/...} gave the
     *     verb, else {@code ""}
     * @param tail the segments after the subresource (after the name for {@code proxy} and {@code redirect}); only a proxy reads
     *     them
     */
    record ResourceRequest(
            String method,
            String path,
            QueryParameters query,
            ResourceAttributes access,
            String prefix,
            List<String> tail)
            implements RequestInfo {
        public ResourceRequest {
            Objects.requireNonNull(method);
            Objects.requireNonNull(path);
            Objects.requireNonNull(query);
            Objects.requireNonNull(access);
            Objects.requireNonNull(prefix);
            tail = List.copyOf(tail);
        }
    }

    /**
     * A request for a path that is no resource, such as {@code /version}.
     *
     * @param method the HTTP method
     * @param path the decoded path
     * @param query the query
     * @param access the path and the method in lower case
     */
    record PathRequest(String method, String path, QueryParameters query, NonResourceAttributes access)
            implements RequestInfo {
        public PathRequest {
            Objects.requireNonNull(method);
            Objects.requireNonNull(path);
            Objects.requireNonNull(query);
            Objects.requireNonNull(access);
        }
    }

    /**
     * Reads a request line.
     *
     * @param method the HTTP method
     * @param rawPath the path as received, still encoded
     * @param rawQuery the query as received without its question mark, or null
     * @throws StatusException 400 for a target that is malformed or could be read in two ways
     */
    static RequestInfo parse(String method, String rawPath, @Nullable String rawQuery) throws StatusException {
        RequestPath path = RequestPath.parse(rawPath);
        return RequestInfoParser.derive(method, path, QueryParameters.parse(rawQuery));
    }
}
