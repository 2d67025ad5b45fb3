package io.plat.apiserver.roles;

import io.plat.apiserver.type.ResourceType;
import io.plat.apiserver.type.Target;
import io.plat.engine.access.Coverage;
import io.plat.engine.access.CoverageResult;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RoleRef;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.json.JsonText;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writer of a role object, with the permissions of one state of the role objects. */
record Grantor(UserInfo actor, RbacIndex index, Target target) {
    /** Rules required for aggregation by selector, as it could gather any rules. */
    private static final List<RbacRule> EVERYTHING = List.of(
            RbacRule.onResources(List.of(RbacRule.ALL), List.of(RbacRule.ALL), List.of(RbacRule.ALL)),
            RbacRule.onPaths(List.of(RbacRule.ALL), List.of("*")));

    private static final String AGGREGATION = "must have cluster-admin privileges to use the aggregationRule: ";

    /**
     * Returns if the write grants nothing that its author may not grant.
     *
     * @throws StatusException 403 or 404 if it does, or if that cannot be determined
     */
    void admit(RbacObject after, @Nullable RbacObject before) throws StatusException {
        switch (after) {
            case RbacRole role -> role(role, before);
            case RbacBinding binding -> binding(binding);
        }
    }

    private void role(RbacRole role, @Nullable RbacObject before) throws StatusException {
        // As for a create, an object that does not exist has no name for a rule to be limited to.
        if (may(
                "escalate",
                ApiGroups.RBAC,
                role.key(),
                before == null ? "" : role.key().name())) {
            return;
        }
        List<RbacRule> held = index.heldBy(actor, role.key().namespace());
        require(Coverage.of(held, role.rules()), "");
        if (aggregates(role) || aggregates(before)) {
            require(Coverage.of(held, EVERYTHING), AGGREGATION);
        }
    }

    private static boolean aggregates(@Nullable RbacObject object) {
        return object instanceof RbacRole role && role.aggregation() != null;
    }

    private void binding(RbacBinding binding) throws StatusException {
        RoleRef reference = binding.roleRef();
        RbacKind kind = RbacKind.of(reference.kind())
                .filter(RbacKind::isRole)
                .orElseThrow(() -> forbidden("unsupported role reference kind: " + JsonText.quoted(reference.kind())));
        ObjectKey named = new ObjectKey(kind, binding.key().namespace(), reference.name());
        String group = reference.apiGroup().isEmpty() ? ApiGroups.RBAC : reference.apiGroup();
        if (may("bind", group, named, reference.name())) {
            return;
        }
        ObjectKey role = binding.role();
        List<RbacRule> granted = role == null ? null : index.rulesOf(role);
        if (granted == null) {
            throw roleNotFound(named);
        }
        require(Coverage.of(index.heldBy(actor, binding.key().namespace()), granted), "");
    }

    private boolean may(String verb, String group, ObjectKey role, String name) {
        return index.grants(new Attributes(
                actor,
                new ResourceAttributes(
                        role.namespace(), verb, group, "*", role.kind().resource(), "", name)));
    }

    private void require(CoverageResult shortfall, String reason) throws StatusException {
        switch (shortfall) {
            case CoverageResult.Nothing nothing -> {}
            case CoverageResult.Missing missing -> throw notHeld(missing, reason);
            case CoverageResult.Unknown unknown ->
                throw forbidden(author()
                        + " is attempting to grant more RBAC permissions than can be compared with those currently"
                        + " held: split it into smaller ones");
        }
    }

    /**
     * Returns the failure for rules that the author does not hold.
     *
     * @param reason reason for requiring them, or {@code ""}
     */
    private StatusException notHeld(CoverageResult.Missing missing, String reason) {
        return forbidden(reason + author() + " is attempting to grant RBAC permissions not currently held:\n"
                + String.join("\n", missing.lines()) + (missing.more() ? "\n(and more)" : ""));
    }

    /** Returns 404, as in Kubernetes: without the role there is nothing to compare. */
    private StatusException roleNotFound(ObjectKey role) {
        String group = target.type().group();
        String message = role.kind().resource() + "." + group + " " + JsonText.quoted(role.name()) + " not found";
        return new StatusException(Status.of(StatusReason.NOT_FOUND, message)
                .withDetails(Status.Details.about(group, role.kind().resource(), role.name())));
    }

    private String author() {
        return "user " + JsonText.quoted(actor.name()) + " (groups="
                + actor.groups().stream().map(JsonText::quoted).collect(Collectors.joining(" ", "[", "]")) + ")";
    }

    private StatusException forbidden(String reason) {
        ResourceType type = target.type();
        String object = type.groupResource() + (target.name().isEmpty() ? "" : " " + JsonText.quoted(target.name()));
        return new StatusException(Status.of(StatusReason.FORBIDDEN, object + " is forbidden: " + reason)
                .withDetails(Status.Details.about(type.group(), type.resource(), target.name())));
    }
}
