package io.plat.apiserver.roles.escalation;

import io.plat.apiserver.resource.ResourceType;
import io.plat.apiserver.resource.Target;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.coverage.Shortfall;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.stream.Collectors;

/** The refusals of writes that would grant too much, in the field's words. */
final class Escalations {
    private Escalations() {}

    /**
     * Something in the object is not held by its author.
     *
     * @param why what it is needed for, or {@code ""}
     */
    static StatusException notHeld(Target target, UserInfo actor, Shortfall.Missing missing, String why) {
        return forbidden(
                target,
                why + who(actor) + " is attempting to grant RBAC permissions not currently held:\n"
                        + String.join("\n", missing.lines()) + (missing.more() ? "\n(and more)" : ""));
    }

    static StatusException notComparable(Target target, UserInfo actor) {
        return forbidden(
                target,
                who(actor) + " is attempting to grant more RBAC permissions than can be compared with those currently"
                        + " held: split it into smaller ones");
    }

    static StatusException unresolvable(Target target, RoleRef reference) {
        return forbidden(target, "unsupported role reference kind: " + JsonText.quoted(reference.kind()));
    }

    /** 404, which is what the field answers: there is nothing to compare with. */
    static StatusException roleNotFound(Target target, ObjectKey role) {
        String group = target.type().group();
        String message = role.kind().resource() + "." + group + " " + JsonText.quoted(role.name()) + " not found";
        return new StatusException(Status.of(StatusReason.NOT_FOUND, message)
                .withDetails(Status.Details.about(group, role.kind().resource(), role.name())));
    }

    private static String who(UserInfo actor) {
        return "user " + JsonText.quoted(actor.name()) + " (groups="
                + actor.groups().stream().map(JsonText::quoted).collect(Collectors.joining(" ", "[", "]")) + ")";
    }

    private static StatusException forbidden(Target target, String why) {
        ResourceType type = target.type();
        String object = type.groupResource() + (target.name().isEmpty() ? "" : " " + JsonText.quoted(target.name()));
        return new StatusException(Status.of(StatusReason.FORBIDDEN, object + " is forbidden: " + why)
                .withDetails(Status.Details.about(type.group(), type.resource(), target.name())));
    }
}
