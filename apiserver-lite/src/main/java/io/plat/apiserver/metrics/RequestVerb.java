package io.plat.apiserver.metrics;

import io.plat.review.ResourceAttributes;
import java.util.Set;

/** The label {@code verb} of a request, in the words of existing servers. */
enum RequestVerb {
    GET,
    HEAD,
    LIST,
    WATCH,
    POST,
    PUT,
    PATCH,
    APPLY,
    DELETE,
    DELETECOLLECTION,
    CONNECT,
    OPTIONS,
    OTHER;

    private static final Set<String> CONNECTED = Set.of("attach", "exec", "portforward", "proxy");

    /** The text of the label. */
    String label() {
        return this == OTHER ? "other" : name();
    }

    /** Whether the sizes of its answers are shown: those that read, once. */
    boolean sized() {
        return this == GET || this == LIST;
    }

    /** That of a request for a path. */
    static RequestVerb of(String method) {
        return switch (method) {
            case "GET" -> GET;
            case "HEAD" -> HEAD;
            case "POST" -> POST;
            case "PUT" -> PUT;
            case "PATCH" -> PATCH;
            case "DELETE" -> DELETE;
            case "OPTIONS" -> OPTIONS;
            default -> OTHER;
        };
    }

    /**
     * That of a request for a resource.
     *
     * @param apply whether what is patched is applied
     */
    static RequestVerb of(ResourceAttributes access, boolean apply) {
        if (!access.subresource().isEmpty() && CONNECTED.contains(access.subresource())) {
            return CONNECT;
        }
        return switch (access.verb()) {
            case "get" -> GET;
            case "list" -> LIST;
            case "watch" -> WATCH;
            case "create" -> POST;
            case "update" -> PUT;
            case "patch" -> apply ? APPLY : PATCH;
            case "delete" -> DELETE;
            case "deletecollection" -> DELETECOLLECTION;
            case "proxy", "redirect" -> CONNECT;
            default -> OTHER;
        };
    }
}
