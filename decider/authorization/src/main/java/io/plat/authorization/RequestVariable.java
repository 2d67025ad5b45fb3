package io.plat.authorization;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import io.plat.cel.TypeRegistry;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.SelectorAttributes;
import io.plat.review.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * CEL variable {@code request} of a condition: the spec of a v1 SubjectAccessReview. Strings are always present, {@code ""} if empty;
 * either {@code resourceAttributes} or {@code nonResourceAttributes} is absent, to be tested by {@code has}.
 */
final class RequestVariable {
    static final String NAME = "request";
    private static final String SPEC = "kubernetes.SubjectAccessReviewSpec";
    static final CelType TYPE = StructTypeReference.create(SPEC);

    private static final CelType TEXT = SimpleType.STRING;
    private static final CelType TEXTS = ListType.create(TEXT);
    /** Types for checking expressions. */
    static final TypeRegistry TYPES = types();

    private RequestVariable() {}

    private static TypeRegistry types() {
        TypeRegistry types = new TypeRegistry();
        CelType requirement =
                types.add("kubernetes.SelectorRequirement", Map.of("key", TEXT, "operator", TEXT, "values", TEXTS));
        Map<String, CelType> selector = Map.of("rawSelector", TEXT, "requirements", ListType.create(requirement));
        Map<String, CelType> resource = new HashMap<>();
        resource.put("fieldSelector", types.add("kubernetes.FieldSelectorAttributes", selector));
        resource.put("labelSelector", types.add("kubernetes.LabelSelectorAttributes", selector));
        for (String text : List.of("namespace", "verb", "group", "version", "resource", "subresource", "name")) {
            resource.put(text, TEXT);
        }
        Map<String, CelType> spec = new HashMap<>(Map.of("user", TEXT, "groups", TEXTS, "uid", TEXT));
        spec.put("extra", MapType.create(TEXT, TEXTS));
        spec.put("resourceAttributes", types.add("kubernetes.ResourceAttributes", resource));
        spec.put(
                "nonResourceAttributes",
                types.add("kubernetes.NonResourceAttributes", Map.of("path", TEXT, "verb", TEXT)));
        types.add(SPEC, spec);
        return types;
    }

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
            return;
        }
        if (selector.requirements().isEmpty()) {
            return;
        }
        into.put(
                field,
                Map.of(
                        "requirements",
                        selector.requirements().stream()
                                .map(one ->
                                        Map.of("key", one.key(), "operator", one.operator(), "values", one.values()))
                                .toList()));
    }
}
