package io.plat.apiserver.custom.cel;

import dev.cel.common.values.CelByteString;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run-time cost of calls, as Kubernetes counts it: a tenth for each character that is read, a quarter for each one of a regular
 * expression, one for what takes constant time. What would make a value larger than all of its parts also costs the size of the result.
 */
final class CallCost {
    static final double READ = 0.1;
    static final double PATTERN = 0.25;
    static final long AUTHORIZATION_CHECK = 350_000;

    /** The longest regular expression of a named format. */
    static final long FORMAT_PATTERN = 128;

    private CallCost() {}

    /** The cost of a call with these values, of which null stands for one of constant size. */
    static long of(String function, List<@Nullable Object> values) {
        @Nullable Object first = values.getFirst();
        @Nullable Object second = values.size() > 1 ? values.get(1) : null;
        long size = size(first);
        return switch (function) {
            case "check" -> AUTHORIZATION_CHECK;
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" -> read(Math.min(size, size(second)));
            case "_+_" -> sum(first, second);
            case "@in" -> second instanceof List<?> list ? list.size() : 1;
            case "startsWith", "endsWith" -> read(size);
            case "string", "bytes" -> first instanceof String || first instanceof CelByteString ? read(size) : 1;
            case "matches", "find", "findAll" -> read(size + 1) * (long) Math.ceil(size(second) * PATTERN);
            case "contains" -> read(size) * read(size(second));
            case "validate" -> read(size(second) + 1) * (long) Math.ceil(FORMAT_PATTERN * PATTERN);
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(first);
            case "sort", "sortBy", "distinct", "flatten", "slice", "reverse" -> 1 + size + traversal(first);
            case "lists.range" -> 1 + (first instanceof Long count ? Math.max(0, count) : 0);
            case "format" -> read(size) + traversal(second);
            case "url",
                    "jsonpatch.escapeKey",
                    "lowerAscii",
                    "upperAscii",
                    "substring",
                    "trim",
                    "cidr",
                    "ip",
                    "isIP",
                    "isCIDR",
                    "quantity",
                    "isQuantity",
                    "strings.quote",
                    "base64.encode",
                    "base64.decode" -> read(size);
            case "ip.isCanonical", "split" -> read(2 * size);
            case "replace" -> read(2 * size) + replaced(size, size(second), size(values.getLast())) / 10;
            case "join" -> read(2 * joined(first, second));
            case "containsIP", "containsCIDR" -> 4 + read(size(second));
            case "sets.contains", "sets.intersects" -> 1 + size * size(second);
            case "sets.equivalent" -> 1 + 2 * size * size(second);
            case "fieldSelector", "labelSelector" -> selector(size(second));
            case "regex.extract", "regex.extractAll", "regex.replace" ->
                read(size + 1) * (long) Math.ceil(size(second) * PATTERN);
            default -> 1;
        };
    }

    static long selector(long length) {
        return 10 + read(length) + 50 * (long) Math.ceil(length / 2.0);
    }

    static long read(long characters) {
        return (long) Math.ceil(characters * READ);
    }

    private static long size(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length();
            case CelByteString bytes -> bytes.size();
            case Collection<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 1;
        };
    }

    /** A single element is appended to a list in constant time, as macros do for each step; whole lists are copied. */
    private static long sum(@Nullable Object first, @Nullable Object second) {
        if (first instanceof Collection<?> && size(second) <= 1) {
            return 1;
        }
        return Math.max(1, read(size(first) + size(second)));
    }

    private static long replaced(long size, long old, long now) {
        long count = old == 0 ? size + 1 : size / old;
        return read(size + count * now);
    }

    private static long joined(@Nullable Object list, @Nullable Object separator) {
        long length = 0;
        if (list instanceof Collection<?> parts) {
            for (Object part : parts) {
                length += size(part) + (separator == null ? 0 : size(separator));
            }
        }
        return length;
    }

    private static long traversal(@Nullable Object value) {
        return switch (value) {
            case String text -> text.length() / 10;
            case CelByteString bytes -> bytes.size() / 10;
            case Collection<?> list ->
                list.stream().mapToLong(CallCost::traversal).sum();
            case Map<?, ?> map ->
                map.entrySet().stream()
                        .mapToLong(entry -> traversal(entry.getKey()) + traversal(entry.getValue()))
                        .sum();
            case null, default -> 1;
        };
    }
}
