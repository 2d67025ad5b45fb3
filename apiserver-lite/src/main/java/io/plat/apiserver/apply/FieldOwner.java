package io.plat.apiserver.apply;

import java.util.Comparator;

/**
 * Somebody who owns fields. Whoever applies is the same in every version of a type.
 *
 * @param name the name that it gives itself
 * @param operation {@link #APPLY} or {@link #UPDATE}
 * @param apiVersion the version that it writes
 * @param subresource the part that it writes; {@code ""} for the object
 */
record FieldOwner(String name, String operation, String apiVersion, String subresource) {
    static final String APPLY = "Apply";
    static final String UPDATE = "Update";

    /** The order of those whose times are equal. */
    static final Comparator<FieldOwner> ORDER = Comparator.comparing(FieldOwner::operation)
            .thenComparing(FieldOwner::name)
            .thenComparing(FieldOwner::apiVersion)
            .thenComparing(FieldOwner::subresource);

    boolean applies() {
        return operation.equals(APPLY);
    }

    boolean same(FieldOwner other) {
        return name.equals(other.name)
                && operation.equals(other.operation)
                && subresource.equals(other.subresource)
                && (applies() || apiVersion.equals(other.apiVersion));
    }

    /** As messages of the field name it. */
    String shown() {
        String part = subresource.isEmpty() ? "" : " with subresource \"" + subresource + '"';
        return '"'
                + name.replace("\\", "\\\\").replace("\"", "\\\"")
                + '"'
                + part
                + (applies() ? "" : " using " + apiVersion);
    }
}
