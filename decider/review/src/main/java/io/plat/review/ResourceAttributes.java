package io.plat.review;

import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A verb on a resource.
 *
 * @param namespace the namespace, or {@code ""} for cluster scope and for all namespaces
 * @param verb the request verb
 * @param group the API group as the request named it, {@code ""} for the core group
 * @param version the API version, informational only
 * @param resource the resource as in the URL, in the plural
 * @param subresource the subresource, or {@code ""}
 * @param name the object's name, or {@code ""} if the request has none
 * @param fieldSelector the field selector of a list, watch or deletecollection, or null
 * @param labelSelector the label selector of a list, watch or deletecollection, or null
 */
public record ResourceAttributes(
        String namespace,
        String verb,
        String group,
        String version,
        String resource,
        String subresource,
        String name,
        @Nullable SelectorAttributes fieldSelector,
        @Nullable SelectorAttributes labelSelector)
        implements AccessAttributes, Comparable<ResourceAttributes> {
    private static final Comparator<@Nullable SelectorAttributes> SELECTORS =
            Comparator.nullsFirst(Comparator.comparing(SelectorAttributes::rawSelector)
                    .thenComparing(
                            SelectorAttributes::requirements,
                            ListOrder.of(Comparator.comparing(SelectorAttributes.Requirement::key)
                                    .thenComparing(SelectorAttributes.Requirement::operator)
                                    .thenComparing(SelectorAttributes.Requirement::values, ListOrder.STRINGS))));

    private static final Comparator<ResourceAttributes> ORDER = Comparator.comparing(
                    (ResourceAttributes access) -> List.of(
                            access.namespace,
                            access.verb,
                            access.group,
                            access.version,
                            access.resource,
                            access.subresource,
                            access.name),
                    ListOrder.STRINGS)
            .thenComparing(ResourceAttributes::fieldSelector, SELECTORS)
            .thenComparing(ResourceAttributes::labelSelector, SELECTORS);

    @Override
    public int compareTo(ResourceAttributes other) {
        return ORDER.compare(this, other);
    }

    /** Attributes without selectors. */
    public ResourceAttributes(
            String namespace,
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String name) {
        this(namespace, verb, group, version, resource, subresource, name, null, null);
    }

    @Override
    public ResourceAttributes withVerb(String other) {
        return new ResourceAttributes(
                namespace, other, group, version, resource, subresource, name, fieldSelector, labelSelector);
    }

    /** Returns the same access in another namespace. */
    public ResourceAttributes in(String other) {
        return new ResourceAttributes(
                other, verb, group, version, resource, subresource, name, fieldSelector, labelSelector);
    }

    /** Returns the resource in the notation of policies, such as {@code pods} or {@code pods/log}. */
    public String written() {
        return written(resource, subresource);
    }

    /** Returns a resource in the notation of policies. */
    public static String written(String resource, String subresource) {
        return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }

    /**
     * Returns attributes of a resource in the notation of policies.
     *
     * @param written such as {@code pods} or {@code pods/log}
     */
    public static ResourceAttributes ofWritten(
            String namespace, String verb, String group, String written, String name) {
        return new ResourceAttributes(namespace, verb, group, "", resourceOf(written), subresourceOf(written), name);
    }

    /** Returns the resource of {@code pods/log}, without the subresource. */
    public static String resourceOf(String written) {
        int slash = written.indexOf('/');
        return slash < 0 ? written : written.substring(0, slash);
    }

    /** Returns the subresource of {@code pods/log}; {@code ""} for none. */
    public static String subresourceOf(String written) {
        int slash = written.indexOf('/');
        return slash < 0 ? "" : written.substring(slash + 1);
    }
}
