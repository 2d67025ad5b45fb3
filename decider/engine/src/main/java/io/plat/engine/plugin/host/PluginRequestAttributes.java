package io.plat.engine.plugin.host;

import io.plat.engine.plugin.RequestAttributes;
import io.plat.review.ApiGroups;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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
