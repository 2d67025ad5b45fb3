package io.plat.apiserver.endpoint;

import io.plat.review.status.Status;
import io.plat.review.status.Status.Cause;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;

/** The failures that the field words the same everywhere. */
final class Failures {
    private static final Details NONE = Details.about("", "", "");

    private Failures() {}

    /** 404: nothing is served under this path. */
    static StatusException notFound() {
        return failure(StatusReason.NOT_FOUND, "the server could not find the requested resource");
    }

    /** 404 for a group or a version that is not served: text, as existing servers have it. */
    static Answer noSuchGroupVersion() {
        return Answer.text(404, "text/plain; charset=utf-8", "404 page not found\n");
    }

    /** 415: a body in a format that is not read. */
    static StatusException unsupportedMediaType(String accepted) {
        return new StatusException(
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request was in an unknown format - accepted media types include: " + accepted);
    }

    /** 415: a patch in a format that is none at all; said in other words than of one that the resource does not take. */
    static StatusException noPatchFormat() {
        return failure(StatusReason.UNSUPPORTED_MEDIA_TYPE, "415: Unsupported Media Type");
    }

    /** 422: an object or a query with values that are not valid, of which there is at least one. */
    static StatusException invalid(String group, String kind, String name, List<Cause> causes) {
        List<String> texts = causes.stream()
                .map(cause -> (cause.field().isEmpty() ? "" : cause.field() + ": ") + cause.message())
                .toList();
        String all = texts.size() == 1 ? texts.getFirst() : "[" + String.join(", ", texts) + "]";
        String type = group.isEmpty() ? kind : kind + "." + group;
        return new StatusException(Status.of(StatusReason.INVALID, type + " \"" + name + "\" is invalid: " + all)
                .withDetails(new Details(name, group, kind, "", causes, 0)));
    }

    /** 501: authorized, and beyond what a server without nodes can do. */
    static StatusException notImplemented(String what) {
        return failure(StatusReason.NOT_IMPLEMENTED, what + " is not implemented: this server runs no nodes");
    }

    private static StatusException failure(StatusReason reason, String message) {
        return new StatusException(Status.of(reason, message).withDetails(NONE));
    }
}
