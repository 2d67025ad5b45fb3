package io.plat.apiserver.audit.policy;

import io.plat.review.ApiGroups;
import io.plat.review.ResourceAttributes;
import java.util.List;

/**
 * Resources of one API group.
 *
 * @param group either name of the group; {@code ""} is the core group
 * @param resources {@code *}, {@code RESOURCE}, {@code RESOURCE/SUBRESOURCE}, {@code RESOURCE/*} (it and all its subresources) or {@code
 *     *}{@code /SUBRESOURCE}; empty for all
 * @param names names of objects; empty for all
 */
record GroupResources(String group, List<String> resources, List<String> names) {
    GroupResources {
        group = ApiGroups.canonical(group);
        resources = List.copyOf(resources);
        names = List.copyOf(names);
    }

    boolean matches(ResourceAttributes access) {
        if (!group.equals(ApiGroups.canonical(access.group()))) {
            return false;
        }
        return resources.isEmpty() || (matchesName(access.name()) && matchesResource(access));
    }

    private boolean matchesName(String name) {
        return names.isEmpty() || names.contains(name);
    }

    private boolean matchesResource(ResourceAttributes access) {
        String part = access.subresource();
        String asked = part.isEmpty() ? access.resource() : access.resource() + "/" + part;
        return resources.contains("*")
                || resources.contains(asked)
                || (!part.isEmpty() && resources.contains("*/" + part))
                || resources.contains(access.resource() + "/*");
    }
}
