package io.plat.engine.plugin.host;

import io.plat.engine.plugin.RequestAttributes;
import io.plat.engine.plugin.Selector;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Attributes of a request in the form of the plug-in interface. */
record PluginRequestAttributes(Attributes request) implements RequestAttributes {
    @Override
    public String user() {
        return request.user().name();
    }

    @Override
    public String uid() {
        return request.user().uid();
    }

    @Override
    public List<String> groups() {
        return request.user().groups();
    }

    @Override
    public Map<String, List<String>> extra() {
        return request.user().extra();
    }

    @Override
    public String verb() {
        return request.access().verb();
    }

    @Override
    public boolean isResourceRequest() {
        return request.access() instanceof ResourceAttributes;
    }

    @Override
    public String namespace() {
        return ofResource(ResourceAttributes::namespace);
    }

    @Override
    public String apiGroup() {
        return ApiGroups.canonical(ofResource(ResourceAttributes::group));
    }

    @Override
    public String apiVersion() {
        return ofResource(ResourceAttributes::version);
    }

    @Override
    public String resource() {
        return ofResource(ResourceAttributes::resource);
    }

    @Override
    public String subresource() {
        return ofResource(ResourceAttributes::subresource);
    }

    @Override
    public String name() {
        return ofResource(ResourceAttributes::name);
    }

    @Override
    public Selector fieldSelector() {
        return request.access() instanceof ResourceAttributes resource
                ? selector(resource.fieldSelector())
                : Selector.NONE;
    }

    @Override
    public Selector labelSelector() {
        return request.access() instanceof ResourceAttributes resource
                ? selector(resource.labelSelector())
                : Selector.NONE;
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

    @Override
    public String path() {
        return switch (request.access()) {
            case NonResourceAttributes path -> path.path();
            case ResourceAttributes _ -> "";
        };
    }

    private String ofResource(Function<ResourceAttributes, String> attribute) {
        return switch (request.access()) {
            case ResourceAttributes resource -> attribute.apply(resource);
            case NonResourceAttributes _ -> "";
        };
    }
}
