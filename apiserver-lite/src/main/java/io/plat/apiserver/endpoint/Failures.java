package io.plat.apiserver.endpoint;

import io.plat.review.status.Status;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** Failures that kube-apiserver words identically everywhere. */
final class Failures {
    private static final Details NONE = Details.about("", "", "");

    private Failures() {}

    /** Returns 404: nothing is served at this path. */
    static StatusException notFound() {
        return failure(StatusReason.NOT_FOUND, "the server could not find the requested resource");
    }

    /** Returns 415: unsupported body format. */
    static StatusException unsupportedMediaType(String accepted) {
        return new StatusException(
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: " + accepted);
    }

    /** Returns 415: not a patch format at all; worded differently than for one that the resource does not support. */
    static StatusException unknownPatchFormat() {
        return failure(StatusReason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type");
    }

    /** Returns 422: invalid object or query, with at least one cause. */
    static StatusException invalid(String group, String kind, String name, List<Cause> causes) {
        List<String> texts = causes.stream()
                .map(cause -> (cause.field().isEmpty() ? "" : cause.field() + ": ") + cause.message())
                .toList();
        String message = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        String type = group.isEmpty() ? kind : kind + "." + group;
        return new StatusException(Status.of(StatusReason.INVALID, type + " \"" + name + "\" is invalid: " + message)
                .withDetails(new Details(name, group, kind, "", causes, 0)));
    }

    /** Returns 501: authorized, but not possible without nodes. */
    static StatusException notImplemented(String operation) {
        return failure(StatusReason.NOT_IMPLEMENTED, operation + " is not implemented: this server runs no nodes");
    }

    private static StatusException failure(StatusReason reason, String message) {
        return new StatusException(Status.of(reason, message).withDetails(NONE));
    }
}
