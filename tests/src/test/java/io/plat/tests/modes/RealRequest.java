package io.plat.tests.modes;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * An HTTP request with given attributes.
 *
 * @param method the method
 * @param path the path, with its query
 */
record RealRequest(String method, String path) {
    private static final Set<String> METHODS = Set.of("get", "post", "put", "patch", "delete", "head");

    /** Returns the request with these attributes; empty if there is none, as with a verb without a method. */
    static Optional<RealRequest> of(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes path -> ofPath(path);
            case ResourceAttributes resource -> ofResource(resource);
        };
    }

    private static Optional<RealRequest> ofPath(NonResourceAttributes access) {
        boolean plain = access.path().matches("(/[a-z0-9-]+)+/?");
        boolean resource = access.path().matches("/apis?/[^/]+/[^/]+.*|/api/[^/]+/.*");
        return plain && !resource && METHODS.contains(access.verb())
                ? Optional.of(new RealRequest(access.verb().toUpperCase(Locale.ROOT), access.path()))
                : Optional.empty();
    }

    private static Optional<RealRequest> ofResource(ResourceAttributes access) {
        boolean plain =
                access.resource().matches("[a-z]+") && access.namespace().matches("[a-z]*");
        String method = method(access);
        if (!plain || method.isEmpty() || access.group().contains("*")) {
            return Optional.empty();
        }
        String group = access.group().isEmpty() ? "/api/v1" : "/apis/" + access.group() + "/v1";
        String scope = access.namespace().isEmpty() ? "" : "/namespaces/" + access.namespace();
        String name = access.name().isEmpty() ? "" : "/" + access.name();
        String part = access.subresource().isEmpty() ? "" : "/" + access.subresource();
        String query = access.verb().equals("watch") ? "?watch=1" : "";
        return Optional.of(new RealRequest(method, group + scope + "/" + access.resource() + name + part + query));
    }

    private static String method(ResourceAttributes access) {
        boolean named = !access.name().isEmpty() && !access.name().equals("*");
        boolean whole = access.name().isEmpty() && access.subresource().isEmpty();
        return switch (access.verb()) {
            case "get" -> named ? "GET" : "";
            case "update" -> named ? "PUT" : "";
            case "patch" -> named ? "PATCH" : "";
            case "delete" -> named ? "DELETE" : "";
            case "list", "watch" -> whole ? "GET" : "";
            case "create" -> whole ? "POST" : "";
            case "deletecollection" -> whole ? "DELETE" : "";
            default -> "";
        };
    }
}
