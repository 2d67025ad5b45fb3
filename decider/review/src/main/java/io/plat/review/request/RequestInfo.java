package io.plat.review.request;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Attributes of a request, shared by authorizer and router (specification, "Request attributes" and "Verb derivation"). */
public sealed interface RequestInfo {
    /** Returns the HTTP method as sent; methods are case-sensitive. */
    String method();

    /** Returns whether the method is GET or HEAD, which have no effect (RFC 9110, 9.2.1). */
    default boolean reads() {
        return method().equals("GET") || method().equals("HEAD");
    }

    /** Returns the path, decoded once. */
    String path();

    QueryParameters query();

    /** Returns the attributes for the authorizer, with the group as in the path. */
    AccessAttributes access();

    /**
     * Request for a resource.
     *
     * @param method the HTTP method
     * @param path the decoded path
     * @param access namespace, verb, group, version, resource, subresource and name
     * @param prefix {@code watch}, {@code proxy} or {@code redirect} if the legacy form {@code /api/v1/watch/...} determined the verb,
     *     else {@code ""}
     * @param tail the segments after the subresource (after the name for {@code proxy} and {@code redirect}); used by proxies only
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
            tail = List.copyOf(tail);
        }
    }

    /**
     * Non-resource request, such as for {@code /version}.
     *
     * @param method the HTTP method
     * @param path the decoded path
     * @param access the path and the method in lower case
     */
    record PathRequest(String method, String path, QueryParameters query, NonResourceAttributes access)
            implements RequestInfo {}

    /**
     * Parses a request line.
     *
     * @param method the HTTP method
     * @param rawPath the path as received, still encoded
     * @param rawQuery the query as received without its question mark, or null
     * @param labels parses label selectors
     * @throws StatusException 400 for a malformed or ambiguous target
     */
    static RequestInfo parse(
            String method, String rawPath, @Nullable String rawQuery, RequestInfoParser.LabelParser labels)
            throws StatusException {
        RequestInfoParser.RequestPath path = RequestInfoParser.RequestPath.parse(rawPath);
        return new RequestInfoParser(method, path, QueryParameters.parse(rawQuery), labels).derive();
    }
}
