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

/** A question as a plug-in sees it. */
record PluginRequestAttributes(Attributes asked) implements RequestAttributes {
    @Override
    public String user() {
        return asked.user().name();
    }

    @Override
    public String uid() {
        return asked.user().uid();
    }

    @Override
    public List<String> groups() {
        return asked.user().groups();
    }

    @Override
    public Map<String, List<String>> extra() {
        return asked.user().extra();
    }

    @Override
    public String verb() {
        return asked.access().verb();
    }

    @Override
    public boolean isResourceRequest() {
        return asked.access() instanceof ResourceAttributes;
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
        return asked.access() instanceof ResourceAttributes resource
                ? selector(resource.fieldSelector())
                : Selector.NONE;
    }

    @Override
    public Selector labelSelector() {
        return asked.access() instanceof ResourceAttributes resource
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
        return switch (asked.access()) {
            case NonResourceAttributes path -> path.path();
            case ResourceAttributes _ -> "";
        };
    }

    private String ofResource(Function<ResourceAttributes, String> attribute) {
        return switch (asked.access()) {
            case ResourceAttributes resource -> attribute.apply(resource);
            case NonResourceAttributes _ -> "";
        };
    }
}
