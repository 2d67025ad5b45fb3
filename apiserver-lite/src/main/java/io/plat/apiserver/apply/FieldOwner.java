package io.plat.apiserver.apply;

import java.util.Comparator;

/**
 * Owner of fields ({@code managedFields} entry without its fields). An applier is the same in all versions of a type.
 *
 * @param operation {@link #APPLY} or {@link #UPDATE}
 * @param subresource subresource that it writes; {@code ""} for the object
 */
record FieldOwner(String name, String operation, String apiVersion, String subresource) {
    static final String APPLY = "Apply";
    static final String UPDATE = "Update";

    /** Order of owners with equal times. */
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

    /** Returns the owner as Kubernetes' messages name it. */
    String shown() {
        String part = subresource.isEmpty() ? "" : " with subresource \"" + subresource + '"';
        return '"'
                + name.replace("\\", "\\\\").replace("\"", "\\\"")
                + '"'
                + part
                + (applies() ? "" : " using " + apiVersion);
    }
}
