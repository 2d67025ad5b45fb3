package io.plat.apiserver.filter;

import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusReason;

/** The words in which a request is refused for want of a right: the field's own, as its clients show and parse them. */
public final class Denials {
    private Denials() {}

    /**
     * 403: the user may not do this.
     *
     * @param reason why, or {@code ""}
     */
    public static Status forbidden(Attributes attributes, String reason) {
        String message = subject(attributes) + " cannot " + action(attributes);
        return about(attributes, reason.isEmpty() ? message : message + ": " + reason);
    }

    private static Status about(Attributes attributes, String message) {
        return switch (attributes.access()) {
            case NonResourceAttributes _ ->
                Status.of(StatusReason.FORBIDDEN, "forbidden: " + message).withDetails(Details.about("", "", ""));
            case ResourceAttributes resource -> {
                String object =
                        groupResource(resource) + (resource.name().isEmpty() ? "" : " " + quoted(resource.name()));
                yield Status.of(StatusReason.FORBIDDEN, object + " is forbidden: " + message)
                        .withDetails(Details.about(resource.group(), resource.resource(), resource.name()));
            }
        };
    }

    /**
     * 500: nobody could say whether the user may do this.
     *
     * @param reason what kept the authorizer from deciding, or {@code ""}
     */
    public static Status undecided(Attributes attributes, String reason) {
        String message = "could not decide whether " + subject(attributes) + " can " + action(attributes);
        return Status.of(StatusReason.INTERNAL_ERROR, reason.isEmpty() ? message : message + ": " + reason);
    }

    private static String subject(Attributes attributes) {
        return "User " + quoted(attributes.user().name());
    }

    private static String action(Attributes attributes) {
        return switch (attributes.access()) {
            case NonResourceAttributes path -> path.verb() + " path " + quoted(path.path());
            case ResourceAttributes r -> {
                String resource = r.subresource().isEmpty() ? r.resource() : r.resource() + "/" + r.subresource();
                String scope = r.namespace().isEmpty()
                        ? " at the cluster scope"
                        : " in the namespace " + quoted(r.namespace());
                yield r.verb() + " resource " + quoted(resource) + " in API group " + quoted(r.group()) + scope;
            }
        };
    }

    private static String groupResource(ResourceAttributes resource) {
        return resource.group().isEmpty() ? resource.resource() : resource.resource() + "." + resource.group();
    }

    /** In double quotes, what would not print escaped: a name that a client chose can't forge a line of its own. */
    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
            } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                quoted.append(String.format("\\u%04x", c));
            } else {
                quoted.appendCodePoint(c);
            }
        });
        return quoted.append('"').toString();
    }
}
