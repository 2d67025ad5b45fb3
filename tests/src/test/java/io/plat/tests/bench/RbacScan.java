package io.plat.tests.bench;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.FixedGrant;
import io.plat.engine.rbac.ObjectKey;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.review.Attributes;
import io.plat.review.ResourceAttributes;
import java.util.HashMap;
import java.util.Map;

/** The alternative: scans all bindings and looks up roles by key. Supports users and plain resources only, as used here. */
final class RbacScan implements Authorizer {
    private static final Decision.Allow ALLOW = FixedGrant.allow("scan", "", "");

    private final RbacPolicy policy;
    private final Map<ObjectKey, RbacRole> roles = new HashMap<>();

    RbacScan(RbacPolicy policy) {
        this.policy = policy;
        policy.roles().forEach(role -> roles.put(role.key(), role));
    }

    @Override
    public Decision authorize(Attributes request) {
        return request.access() instanceof ResourceAttributes resource
                        && policy.bindings().stream().anyMatch(binding -> allows(binding, request, resource))
                ? ALLOW
                : Decision.NoOpinion.SILENT;
    }

    private boolean allows(RbacBinding binding, Attributes request, ResourceAttributes resource) {
        ObjectKey key = binding.role();
        RbacRole role = key == null ? null : roles.get(key);
        return binding.key().namespace().equals(resource.namespace())
                && role != null
                && binding.subjects().stream()
                        .anyMatch(
                                subject -> subject.name().equals(request.user().name()))
                && role.rules().stream().anyMatch(rule -> covers(rule, resource));
    }

    private static boolean covers(RbacRule rule, ResourceAttributes resource) {
        return rule.verbs().contains(resource.verb())
                && rule.apiGroups().contains(resource.group())
                && rule.resources().contains(resource.resource())
                && (rule.resourceNames().isEmpty() || rule.resourceNames().contains(resource.name()));
    }
}
