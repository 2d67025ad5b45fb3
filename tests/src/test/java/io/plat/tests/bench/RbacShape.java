package io.plat.tests.bench;

import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.RbacRule;
import io.plat.engine.rbac.RbacSubject;
import io.plat.engine.rbac.RoleRef;
import io.plat.review.Attributes;
import java.util.ArrayList;
import java.util.List;

/** Distributions of bindings. */
public enum RbacShape {
    /** Each binding has its own namespace, role and user. */
    SPREAD {
        @Override
        RbacBinding binding(int i) {
            return RbacBinding.roleBinding("ns-" + i, "b", RoleRef.role("r"), List.of(RbacSubject.user("user-" + i)));
        }

        @Override
        List<RbacRole> roles(int size) {
            List<RbacRole> roles = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                roles.add(RbacRole.role("ns-" + i, "r", threeRules("pods")));
            }
            return roles;
        }

        @Override
        Attributes request(int i) {
            return Sizes.get("user-" + i, "ns-" + i, "pods");
        }
    },
    /** All bindings have one namespace and one role, each its own user. */
    ONE_NAMESPACE {
        @Override
        RbacBinding binding(int i) {
            return RbacBinding.roleBinding(
                    "shared", "b-" + i, RoleRef.role("r"), List.of(RbacSubject.user("user-" + i)));
        }

        @Override
        List<RbacRole> roles(int size) {
            return List.of(RbacRole.role("shared", "r", threeRules("pods")));
        }

        @Override
        Attributes request(int i) {
            return Sizes.get("user-" + i, "shared", "pods");
        }
    },
    /** All bindings have one user and one cluster role, each its own namespace. */
    ONE_SUBJECT {
        @Override
        RbacBinding binding(int i) {
            return RbacBinding.roleBinding("ns-" + i, "b", RoleRef.clusterRole("r"), List.of(RbacSubject.user("jane")));
        }

        @Override
        List<RbacRole> roles(int size) {
            return List.of(RbacRole.clusterRole("r", threeRules("pods")));
        }

        @Override
        Attributes request(int i) {
            return Sizes.get("jane", "ns-" + i, "pods");
        }
    },
    /** All bindings have one user and one namespace, each its own role. */
    MANY_ROLES {
        @Override
        RbacBinding binding(int i) {
            return RbacBinding.roleBinding(
                    "shared", "b-" + i, RoleRef.role("r-" + i), List.of(RbacSubject.user("jane")));
        }

        @Override
        List<RbacRole> roles(int size) {
            List<RbacRole> roles = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                roles.add(RbacRole.role("shared", "r-" + i, threeRules("kind-" + i)));
            }
            return roles;
        }

        @Override
        Attributes request(int i) {
            return Sizes.get("jane", "shared", "kind-" + i);
        }
    };

    abstract RbacBinding binding(int i);

    abstract List<RbacRole> roles(int size);

    /** Returns the request that the binding with this number allows. */
    abstract Attributes request(int i);

    /** Returns a policy with this many bindings. */
    public RbacPolicy policy(int size) {
        List<RbacBinding> bindings = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            bindings.add(binding(i));
        }
        return new RbacPolicy(roles(size), bindings);
    }

    private static List<RbacRule> threeRules(String resource) {
        return List.of(
                RbacRule.onResources(List.of("get", "list", "watch"), List.of(""), List.of(resource, "services")),
                RbacRule.onResources(
                        List.of("create", "update", "patch"), List.of("apps"), List.of("deployments", resource)),
                new RbacRule(List.of("get"), List.of(""), List.of("configmaps"), List.of("settings"), List.of(), null));
    }
}
