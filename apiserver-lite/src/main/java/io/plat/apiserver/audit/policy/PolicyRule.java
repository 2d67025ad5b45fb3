package io.plat.apiserver.audit.policy;

import io.plat.review.AccessAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a policy. A list that is empty matches everything; a rule with resources or namespaces matches requests for resources only,
 * one with paths only those for paths.
 *
 * @param groups groups of users, any of which matches
 * @param namespaces namespaces; {@code ""} for cluster-scoped resources
 * @param paths non-resource paths; a trailing {@code *} matches any suffix
 * @param auditConfig extent to which matching requests are recorded
 */
record PolicyRule(
        List<String> users,
        List<String> groups,
        List<String> verbs,
        List<GroupResources> resources,
        List<String> namespaces,
        List<String> paths,
        RequestAuditConfig auditConfig) {
    PolicyRule {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
        verbs = List.copyOf(verbs);
        resources = List.copyOf(resources);
        namespaces = List.copyOf(namespaces);
        paths = List.copyOf(paths);
    }

    /**
     * Returns whether the rule matches a request.
     *
     * @param user the user; null if unknown, which matches no list of users or groups
     */
    boolean matches(@Nullable UserInfo user, AccessAttributes access) {
        return matches(user) && (verbs.isEmpty() || verbs.contains(access.verb())) && matches(access);
    }

    private boolean matches(@Nullable UserInfo user) {
        if (!users.isEmpty() && (user == null || !users.contains(user.name()))) {
            return false;
        }
        return groups.isEmpty() || (user != null && user.groups().stream().anyMatch(groups::contains));
    }

    private boolean matches(AccessAttributes access) {
        boolean aboutResources = !resources.isEmpty() || !namespaces.isEmpty();
        return switch (access) {
            case ResourceAttributes resource -> aboutResources ? matchesResource(resource) : paths.isEmpty();
            case NonResourceAttributes path ->
                !aboutResources && (paths.isEmpty() || paths.stream().anyMatch(path::isMatchedBy));
        };
    }

    private boolean matchesResource(ResourceAttributes access) {
        return (namespaces.isEmpty() || namespaces.contains(access.namespace()))
                && (resources.isEmpty() || resources.stream().anyMatch(of -> of.matches(access)));
    }

    /**
     * Resources of one API group.
     *
     * @param group either name of the group; {@code ""} is the core group
     * @param resources {@code *}, {@code RESOURCE}, {@code RESOURCE/SUBRESOURCE}, {@code RESOURCE/*} (it and all its subresources) or
     *     {@code *}{@code /SUBRESOURCE}; empty for all
     * @param names names of objects; empty for all
     */
    record GroupResources(String group, List<String> resources, List<String> names) {
        GroupResources {
            group = ApiGroups.canonical(group);
            resources = List.copyOf(resources);
            names = List.copyOf(names);
        }

        boolean matches(ResourceAttributes access) {
            return group.equals(ApiGroups.canonical(access.group()))
                    && (resources.isEmpty()
                            || ((names.isEmpty() || names.contains(access.name())) && matchesResource(access)));
        }

        private boolean matchesResource(ResourceAttributes access) {
            String part = access.subresource();
            String requested = part.isEmpty() ? access.resource() : access.resource() + "/" + part;
            return resources.contains("*")
                    || resources.contains(requested)
                    || (!part.isEmpty() && resources.contains("*/" + part))
                    || resources.contains(access.resource() + "/*");
        }
    }
}
