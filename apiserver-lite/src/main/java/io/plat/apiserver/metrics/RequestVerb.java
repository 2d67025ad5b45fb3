package io.plat.apiserver.metrics;

import io.plat.review.ResourceAttributes;
import java.util.Set;

/** Value of the label {@code verb}, as in kube-apiserver. */
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

    /** Returns the text of the label. */
    String label() {
        return this == OTHER ? "other" : name();
    }

    /** Returns whether response sizes are recorded: for verbs that read, except streams. */
    boolean sized() {
        return this == GET || this == LIST;
    }

    /** Returns the verb of a non-resource request. */
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
     * Returns the verb of a resource request.
     *
     * @param apply whether a patch is a server-side apply
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
