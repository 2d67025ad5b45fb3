package io.plat.apiserver.filter;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.json.JsonText;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusReason;

/** Statuses of denied requests, worded as in Kubernetes, since clients display and parse them. */
public final class Denials {
    private Denials() {}

    /**
     * Returns 403: the user is not allowed.
     *
     * @param reason reason, or {@code ""}
     */
    public static Status forbidden(Attributes attributes, String reason) {
        String denial = subject(attributes) + " cannot " + action(attributes);
        String message = reason.isEmpty() ? denial : denial + ": " + reason;
        return switch (attributes.access()) {
            case NonResourceAttributes _ ->
                Status.of(StatusReason.FORBIDDEN, "forbidden: " + message).withDetails(Details.about("", "", ""));
            case ResourceAttributes resource -> {
                String object = resource.resource()
                        + (resource.group().isEmpty() ? "" : "." + resource.group())
                        + (resource.name().isEmpty() ? "" : " " + JsonText.quoted(resource.name()));
                yield Status.of(StatusReason.FORBIDDEN, object + " is forbidden: " + message)
                        .withDetails(Details.about(resource.group(), resource.resource(), resource.name()));
            }
        };
    }

    /**
     * Returns 500: authorization could not be decided.
     *
     * @param reason failure of the authorizer, or {@code ""}
     */
    public static Status undecided(Attributes attributes, String reason) {
        String message = "could not decide whether " + subject(attributes) + " can " + action(attributes);
        return Status.of(StatusReason.INTERNAL_ERROR, reason.isEmpty() ? message : message + ": " + reason);
    }

    private static String subject(Attributes attributes) {
        return "User " + JsonText.quoted(attributes.user().name());
    }

    private static String action(Attributes attributes) {
        return switch (attributes.access()) {
            case NonResourceAttributes path -> path.verb() + " path " + JsonText.quoted(path.path());
            case ResourceAttributes r -> {
                String scope = r.namespace().isEmpty()
                        ? " at the cluster scope"
                        : " in the namespace " + JsonText.quoted(r.namespace());
                yield r.verb() + " resource " + JsonText.quoted(r.written()) + " in API group "
                        + JsonText.quoted(r.group()) + scope;
            }
        };
    }
}
