package io.plat.cli.question;

import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.source.Quoted;

/** A request in words, as answers repeat it: the parsed request is not always the intended one. */
public final class QuestionText {
    private QuestionText() {}

    /** The user with its groups. */
    public static String of(UserInfo user) {
        String groups = String.join(", ", user.groups());
        return Quoted.oneLine((user.name().isEmpty() ? "somebody" : user.name())
                + (groups.isEmpty() ? " (no groups)" : " (groups: " + groups + ")"));
    }

    /** The access, such as {@code list deployments.apps in namespace team-a}. */
    public static String of(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes asked -> Quoted.oneLine(asked.verb() + " " + asked.path());
            case ResourceAttributes asked -> Quoted.oneLine(asked.verb() + " " + what(asked) + where(asked));
        };
    }

    /** The resource or path, such as {@code pods/log "web-1"}. */
    public static String target(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes asked -> asked.path();
            case ResourceAttributes asked -> what(asked);
        };
    }

    private static String what(ResourceAttributes asked) {
        String group = asked.group().isEmpty() ? "" : "." + asked.group();
        String subresource = asked.subresource().isEmpty() ? "" : "/" + asked.subresource();
        String name = asked.name().isEmpty() ? "" : " \"" + asked.name() + "\"";
        return asked.resource() + group + subresource + name;
    }

    private static String where(ResourceAttributes asked) {
        if (!asked.namespace().isEmpty()) {
            return " in namespace " + asked.namespace();
        }
        boolean namespaced = ResourceTypes.builtIn()
                .find(asked.resource(), asked.group())
                .map(ResourceType::namespaced)
                .orElse(false);
        return namespaced ? " in every namespace" : "";
    }
}
