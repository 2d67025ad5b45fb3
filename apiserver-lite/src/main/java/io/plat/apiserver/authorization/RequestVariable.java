package io.plat.apiserver.authorization;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The variable {@code request} of a condition: the spec of a SubjectAccessReview in version v1. Every text of what is given is there,
 * {@code ""} where it is empty; either {@code resourceAttributes} or {@code nonResourceAttributes} is missing, for which {@code has}
 * asks.
 */
final class RequestVariable {
    static final String NAME = "request";
    static final CelType TYPE = StructTypeReference.create("SubjectAccessReviewSpec");

    private static final CelType TEXTS = ListType.create(SimpleType.STRING);
    private static final Map<String, StructType> TYPES = types();

    private RequestVariable() {}

    private static Map<String, StructType> types() {
        CelType selector = StructTypeReference.create("SelectorAttributes");
        Map<String, StructType> types = new LinkedHashMap<>();
        add(
                types,
                "SubjectAccessReviewSpec",
                Map.of(
                        "resourceAttributes",
                        StructTypeReference.create("ResourceAttributes"),
                        "nonResourceAttributes",
                        StructTypeReference.create("NonResourceAttributes"),
                        "user",
                        SimpleType.STRING,
                        "groups",
                        TEXTS,
                        "extra",
                        MapType.create(SimpleType.STRING, TEXTS),
                        "uid",
                        SimpleType.STRING));
        Map<String, CelType> resource = new HashMap<>();
        for (String text : new String[] {"namespace", "verb", "group", "version", "resource", "subresource", "name"}) {
            resource.put(text, SimpleType.STRING);
        }
        resource.put("fieldSelector", selector);
        resource.put("labelSelector", selector);
        add(types, "ResourceAttributes", resource);
        add(types, "NonResourceAttributes", Map.of("path", SimpleType.STRING, "verb", SimpleType.STRING));
        add(
                types,
                "SelectorAttributes",
                Map.of(
                        "rawSelector",
                        SimpleType.STRING,
                        "requirements",
                        ListType.create(StructTypeReference.create("SelectorRequirement"))));
        add(
                types,
                "SelectorRequirement",
                Map.of("key", SimpleType.STRING, "operator", SimpleType.STRING, "values", TEXTS));
        return types;
    }

    private static void add(Map<String, StructType> types, String name, Map<String, CelType> named) {
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(named);
        types.put(name, StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
    }

    /** The types by which expressions are checked. */
    static CelTypeProvider typeProvider() {
        return new CelTypeProvider() {
            @Override
            public ImmutableCollection<CelType> types() {
                return ImmutableList.copyOf(TYPES.values());
            }

            @Override
            public Optional<CelType> findType(String typeName) {
                return Optional.ofNullable(TYPES.get(typeName));
            }
        };
    }

    /** The value of the variable for a request. */
    static Map<String, Object> of(Attributes attributes) {
        UserInfo user = attributes.user();
        Map<String, Object> spec = new HashMap<>();
        spec.put("user", user.name());
        spec.put("groups", user.groups());
        spec.put("uid", user.uid());
        spec.put("extra", user.extra());
        switch (attributes.access()) {
            case ResourceAttributes resource -> spec.put("resourceAttributes", resource(resource));
            case NonResourceAttributes path ->
                spec.put("nonResourceAttributes", Map.of("path", path.path(), "verb", path.verb()));
        }
        return spec;
    }

    private static Map<String, Object> resource(ResourceAttributes access) {
        Map<String, Object> resource = new HashMap<>();
        resource.put("namespace", access.namespace());
        resource.put("verb", access.verb());
        resource.put("group", access.group());
        resource.put("version", access.version());
        resource.put("resource", access.resource());
        resource.put("subresource", access.subresource());
        resource.put("name", access.name());
        putSelector(resource, "fieldSelector", access.fieldSelector());
        putSelector(resource, "labelSelector", access.labelSelector());
        return resource;
    }

    private static void putSelector(Map<String, Object> into, String field, @Nullable SelectorAttributes selector) {
        if (selector == null) {
            return;
        }
        if (!selector.rawSelector().isEmpty()) {
            into.put(field, Map.of("rawSelector", selector.rawSelector()));
        } else {
            into.put(
                    field,
                    Map.of(
                            "requirements",
                            selector.requirements().stream()
                                    .map(one -> Map.of(
                                            "key", one.key(), "operator", one.operator(), "values", one.values()))
                                    .toList()));
        }
    }
}
