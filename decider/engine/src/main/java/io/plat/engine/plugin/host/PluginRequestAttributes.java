package io.plat.engine.plugin.host;

import io.plat.engine.plugin.RequestAttributes;
import io.plat.engine.plugin.Selector;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Attributes of a request in the form of the plug-in interface. */
record PluginRequestAttributes(
        String user,
        String uid,
        List<String> groups,
        Map<String, List<String>> extra,
        String verb,
        boolean isResourceRequest,
        String namespace,
        String apiGroup,
        String apiVersion,
        String resource,
        String subresource,
        String name,
        Selector fieldSelector,
        Selector labelSelector,
        String path)
        implements RequestAttributes {
    private static final ResourceAttributes NO_RESOURCE = new ResourceAttributes("", "", "", "", "", "", "");

    /** Returns the attributes of a request; those of a path have no resource, and vice versa. */
    static PluginRequestAttributes of(Attributes request) {
        UserInfo user = request.user();
        ResourceAttributes resource = request.access() instanceof ResourceAttributes known ? known : NO_RESOURCE;
        return new PluginRequestAttributes(
                user.name(),
                user.uid(),
                user.groups(),
                user.extra(),
                request.access().verb(),
                request.access() instanceof ResourceAttributes,
                resource.namespace(),
                ApiGroups.canonical(resource.group()),
                resource.version(),
                resource.resource(),
                resource.subresource(),
                resource.name(),
                selector(resource.fieldSelector()),
                selector(resource.labelSelector()),
                request.access() instanceof NonResourceAttributes path ? path.path() : "");
    }

    private static Selector selector(@Nullable SelectorAttributes selector) {
        return selector == null
                ? Selector.NONE
                : new Selector(
                        selector.rawSelector(),
                        selector.requirements().stream()
                                .map(one -> new Selector.Requirement(one.key(), one.operator(), one.values()))
                                .toList());
    }
}
