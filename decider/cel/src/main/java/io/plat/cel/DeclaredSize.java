package io.plat.cel;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Maximum sizes of values.
 *
 * @param max maximum number of characters, elements or keys; 0 for scalars
 * @param bytes length of the shortest JSON
 * @param elements sizes of the elements of a list or the values of a map
 */
public record DeclaredSize(
        long max,
        long bytes,
        Map<String, DeclaredSize> fields,
        @Nullable DeclaredSize elements) {
    /** Maximum size of a request, in bytes, as Kubernetes assumes it. */
    public static final long REQUEST = 3 * 1024 * 1024;

    private static final DeclaredSize KEY = simple(0, 2);

    /** Returns the size of a value without parts. */
    public static DeclaredSize simple(long max, long bytes) {
        return new DeclaredSize(max, bytes, Map.of(), null);
    }

    /** Returns the number of values of these sizes that fit into a request. */
    public long times() {
        return REQUEST / (bytes + 1);
    }

    /** Returns the sizes below a path step. */
    @Nullable
    DeclaredSize at(String step) {
        return switch (step) {
            case CostEstimate.ITEMS, CostEstimate.VALUES -> elements;
            case CostEstimate.KEYS -> elements == null ? null : KEY;
            default -> fields.get(step);
        };
    }
}
