package io.plat.apiserver.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Comparator;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Owner reference in metadata: all that takes effect, so that references that are equal have the same effect.
 *
 * @param name name of the owner, which is in the same namespace or cluster-scoped
 * @param blocks whether foreground deletion of the owner waits for the object
 */
public record OwnerReference(String apiVersion, String kind, String name, String uid, boolean blocks)
        implements Comparable<OwnerReference> {
    private static final Comparator<OwnerReference> ORDER = Comparator.comparing(OwnerReference::uid)
            .thenComparing(OwnerReference::name)
            .thenComparing(OwnerReference::kind)
            .thenComparing(OwnerReference::apiVersion)
            .thenComparing(OwnerReference::blocks);

    public static SortedSet<OwnerReference> of(JsonNode object) {
        var references = new TreeSet<OwnerReference>();
        for (JsonNode reference : object.path("metadata").path("ownerReferences")) {
            references.add(read(reference));
        }
        return references;
    }

    public static OwnerReference read(JsonNode reference) {
        return new OwnerReference(
                reference.path("apiVersion").asText(),
                reference.path("kind").asText(),
                reference.path("name").asText(),
                reference.path("uid").asText(),
                reference.path("blockOwnerDeletion").asBoolean());
    }

    /** Returns the API group of the owner; {@code ""} for the core group. */
    public String group() {
        return apiVersion.substring(0, Math.max(apiVersion.indexOf('/'), 0));
    }

    public String version() {
        return apiVersion.substring(apiVersion.indexOf('/') + 1);
    }

    @Override
    public int compareTo(OwnerReference other) {
        return ORDER.compare(this, other);
    }
}
